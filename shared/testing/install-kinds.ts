import type { Controller } from "../api/controller.ts";
import { groupOf, type Kind } from "../api/object.ts";
import type { ClusterObjects } from "./cluster-objects.ts";
import { type AnyManifest, manifestsOf, openDefinition } from "./manifests.ts";
import type { TestClock } from "./test-clock.ts";

export interface InstallOptions {
  readonly controllers: readonly Controller[];
  /** CustomResourceDefinitions, as objects or YAML. */
  readonly crds: readonly (string | object)[];
  readonly objects: ClusterObjects;
  readonly clock: TestClock;
  /** Whether definitions that nobody asks for go, as earlier tests may have left them. */
  readonly ours: boolean;
}

/** A cluster serves a new kind within a second, as a rule. */
const TRIES = 100;
const PAUSE_MS = 100;

/**
 * Makes the cluster serve all kinds of the controllers, and resolves once it does. A definition that
 * is there already becomes the one that is given.
 */
export async function installKinds(options: InstallOptions): Promise<void> {
  const { controllers, crds, objects, ours } = options;
  const given = crds.flatMap(manifestsOf);
  const kinds = controllers.flatMap(kindsOf);
  const left = ours ? await definitionNames(objects) : [];
  const wanted = new Set([...given.map(({ metadata }) => metadata.name), ...kinds.map(nameOf)]);
  for (const name of left) if (!wanted.has(name)) await objects.delete(Definition, name);
  for (const crd of given) {
    await install(options, crd);
    for (const kind of definedKinds(crd)) await whenServed(options, kind);
  }
  for (const kind of kinds) {
    if (given.some(({ metadata }) => metadata.name === nameOf(kind))) continue;
    if (!left.includes(nameOf(kind)) && (await objects.serves(kind))) continue;
    await install(options, openDefinition(kind));
    await whenServed(options, kind);
  }
}

const Definition: Kind = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
};

/** Names of definitions are those of kinds: "websites.web.example.com". */
function nameOf({ plural, apiVersion }: Kind): string {
  return `${plural}.${groupOf(apiVersion)}`;
}

async function definitionNames(objects: ClusterObjects): Promise<readonly string[]> {
  return (await objects.list(Definition)).map(({ metadata }) => metadata.name);
}

async function install({ objects, clock }: InstallOptions, crd: AnyManifest): Promise<void> {
  const { name } = crd.metadata;
  const before = await objects.get(Definition, name);
  const after = await objects.applyText(crd, { force: true }).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    const advice = before ? "; another definition of that name is there: delete it" : "";
    throw new Error(`cannot install ${crd.kind} ${name}: ${why}${advice}`, { cause });
  });
  // No status tells when objects are first judged by the new schema.
  const changed = before && before.metadata.generation !== after.metadata.generation;
  for (let times = 0; changed && times < 10; times += 1) await clock.advance(PAUSE_MS);
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
