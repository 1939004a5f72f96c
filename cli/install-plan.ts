import { isDeepStrictEqual } from "node:util";
import { crdChanges } from "../shared/crd/crd-changes.ts";
import type { CrdChange } from "../shared/crd/schema-changes.ts";
import type { KubeClient } from "../shared/kube/kube-client.ts";
import { ConflictError } from "../shared/kube/kube-error.ts";
import { Definition } from "../shared/platform/definition-kind.ts";
import type { ProjectDefinition } from "./project-definitions.ts";

/** What an install does to one definition. */
export interface InstallStep extends ProjectDefinition {
  readonly name: string;
  readonly state: "created" | "changed" | "unchanged";
}

export interface InstallOptions {
  /** Takes over fields that other field managers have. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/** What breaks in the cluster, by the name of the definition; those that break nothing are left out. */
export async function breakingChanges(
  client: KubeClient,
  definitions: readonly ProjectDefinition[],
): Promise<ReadonlyMap<string, readonly CrdChange[]>> {
  const found = new Map<string, readonly CrdChange[]>();
  for (const { crd } of definitions) {
    const installed = await client.get(Definition, keyOf(crd.metadata.name));
    const changes = installed ? crdChanges(installed, crd) : [];
    if (changes.length > 0) found.set(crd.metadata.name, changes);
  }
  return found;
}

/** Has the API server try a definition without keeping it. Rejects with the reason why it would refuse it. */
export async function tryInstall(
  client: KubeClient,
  definition: ProjectDefinition,
  options: InstallOptions,
): Promise<InstallStep> {
  const { name } = definition.crd.metadata;
  const installed = await client.get(Definition, keyOf(name));
  const { object } = await applied(client, definition, { ...options, dryRun: true });
  const same = isDeepStrictEqual(installed?.spec, object.spec);
  return { ...definition, name, state: same ? "unchanged" : installed ? "changed" : "created" };
}

/** Server-side apply, which has no limit of size but that of all objects, about 1.5 MB. */
export async function applied(
  client: KubeClient,
  { crd, file }: ProjectDefinition,
  { force, signal, dryRun = false }: InstallOptions & { readonly dryRun?: boolean },
): Promise<{ readonly object: Definition }> {
  const { name } = crd.metadata;
  try {
    const options = { fieldManager: "tidegate", fieldValidation: "Strict", force, dryRun } as const;
    return await client.apply(Definition, keyOf(name), crd, { ...options, signal });
  } catch (error) {
    signal.throwIfAborted();
    const advice =
      error instanceof ConflictError && !force
        ? "; --force-conflicts takes these fields over from whoever installed it before"
        : "";
    throw new Error(`cannot install ${name} of ${file}: ${(error as Error).message}${advice}`, {
      cause: error,
    });
  }
}

function keyOf(name: string) {
  return { namespace: "", name };
}
