import type { Controller } from "../api/controller.ts";
import type { Kind } from "../api/object.ts";
import type { ClusterObjects } from "./cluster-objects.ts";
import { type AnyManifest, manifestsOf, openDefinition } from "./manifests.ts";
import type { TestClock } from "./test-clock.ts";

export interface InstallOptions {
  readonly controllers: readonly Controller[];
  /** CustomResourceDefinitions, as objects or YAML. */
  readonly crds: readonly (string | object)[];
  readonly objects: ClusterObjects;
  readonly clock: TestClock;
}

/** A cluster serves a new kind within a second. */
const TRIES = 100;
const PAUSE_MS = 100;

/** Makes the cluster serve all kinds of the controllers, and resolves once it does. */
export async function installKinds(options: InstallOptions): Promise<void> {
  const { controllers, crds, objects } = options;
  for (const crd of crds.flatMap(manifestsOf)) {
    await objects.applyText(crd, { force: true });
    for (const kind of definedKinds(crd)) await whenServed(options, kind);
  }
  for (const kind of controllers.flatMap(kindsOf)) {
    if (await objects.serves(kind)) continue;
    await objects.applyText(openDefinition(kind));
    await whenServed(options, kind);
  }
}

function kindsOf({ for: kind, owns, watches }: Controller): readonly Kind[] {
  return [kind, ...owns.map((each) => each.kind), ...watches.map((each) => each.kind)];
}

function definedKinds(crd: AnyManifest): readonly Served[] {
  const { spec } = crd as AnyManifest & { readonly spec?: DefinitionSpec };
  const { group = "", names, versions = [] } = spec ?? {};
  const served = versions.filter((version) => version.served);
  return served.map(({ name }) => ({ apiVersion: `${group}/${name}`, kind: names?.kind ?? "" }));
}

type Served = Pick<Kind, "apiVersion" | "kind">;

interface DefinitionSpec {
  readonly group?: string;
  readonly names?: { readonly kind: string };
  readonly versions?: readonly { readonly name: string; readonly served: boolean }[];
}

async function whenServed({ objects, clock }: InstallOptions, kind: Served): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await objects.serves(kind)) return;
    await clock.advance(PAUSE_MS);
  }
  throw new Error(
    `cannot install kind ${kind.kind} of ${kind.apiVersion}: expected the API server to serve it within 10 s, got nothing; see the status of its CustomResourceDefinition`,
  );
}
