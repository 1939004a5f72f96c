import { type Controller, finalizersOf } from "../shared/api/controller.ts";
import { groupKindOf, type Kind } from "../shared/api/object.ts";
import type { KubeClient } from "../shared/kube/kube-client.ts";
import type { Transport } from "../shared/kube/wire.ts";
import { Definition } from "../shared/platform/definition-kind.ts";
import { type ListedObject, listObjects } from "../shared/platform/object-list.ts";
import type { ProjectDefinition } from "./project-definitions.ts";

/** A definition of the project that is installed, with the kind that it serves. */
export interface InstalledKind {
  readonly name: string;
  readonly uid: string;
  /** Absent where it never was served, and so has no objects: its names are another one's. */
  readonly kind?: Kind;
}

/** Those of the definitions that the cluster has. Definitions of others are not even read. */
export async function installedKinds(
  client: KubeClient,
  definitions: readonly ProjectDefinition[],
): Promise<readonly InstalledKind[]> {
  const found: InstalledKind[] = [];
  for (const { crd } of definitions) {
    const { name } = crd.metadata;
    const installed = await client.get(Definition, { namespace: "", name });
    if (!installed) continue;
    const { uid } = installed.metadata;
    found.push({ name, uid, ...(served(installed) && { kind: kindOf(installed) }) });
  }
  return found;
}

function served({ status }: Definition): boolean {
  const refused = ({ type, status: is }: { readonly type: string; readonly status: string }) =>
    type === "Established" && is === "False";
  return !status?.conditions?.some(refused);
}

function kindOf({ spec, metadata }: Definition): Kind {
  const { group, names, scope, versions } = spec;
  const served = versions.filter((version) => version.served);
  const version = served.find(({ storage }) => storage) ?? served[0];
  if (!version) {
    throw new Error(
      `cannot look for objects of ${metadata.name}: expected a served version, got none; serve one again, so that its objects can be seen`,
    );
  }
  return { apiVersion: `${group}/${version.name}`, kind: names.kind, plural: names.plural, scope };
}

/** All objects of the kinds. */
export async function objectsOf(
  transport: Transport,
  kinds: readonly InstalledKind[],
  signal: AbortSignal,
): Promise<readonly ListedObject[]> {
  const lists: (readonly ListedObject[])[] = [];
  for (const { kind } of kinds) if (kind) lists.push(await listObjects(transport, kind, signal));
  return lists.flat();
}

/** The finalizers that the project's controllers put on objects of a kind, now or formerly. */
export function ownFinalizers(controllers: readonly Controller[], kind: Kind): readonly string[] {
  return controllers
    .filter((controller) => groupKindOf(controller.for) === groupKindOf(kind))
    .flatMap(finalizersOf);
}
