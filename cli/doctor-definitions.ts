import { readDefinitions } from "../local/read-definitions.ts";
import { crdChanges, type InstalledCrd } from "../shared/crd/crd-changes.ts";
import type { CustomResourceDefinition } from "../shared/crd/custom-resource-definition.ts";
import type { KubeClient } from "../shared/kube/kube-client.ts";
import { Definition } from "../shared/platform/definition-kind.ts";
import { type Check, check, type Patient } from "./doctor-check.ts";

/** The definitions of the project against those of the cluster. */
export async function definitionChecks(
  { place }: Pick<Patient, "place">,
  client: KubeClient,
): Promise<readonly Check[]> {
  const found: Check[] = [];
  for (const crd of (await readDefinitions(place.functionsDir)).flatMap(({ crds }) => crds)) {
    const installed = await client.get(Definition, { namespace: "", name: crd.metadata.name });
    found.push(definitionCheck(installed, crd));
  }
  return found;
}

/** One definition of the project against the installed one. Pure. */
export function definitionCheck(
  installed: InstalledCrd | undefined,
  crd: CustomResourceDefinition,
): Check {
  const name = `definition ${crd.metadata.name}`;
  if (!installed) {
    return { name, level: "fail", text: "not installed", todo: "install it: tidegate install" };
  }
  const breaking = crdChanges(installed, crd).map(({ path, change }) => `${path} ${change}`);
  if (breaking.length > 0) {
    const text = `installed, ${breaking.length} breaking changes: ${breaking.join("; ")}`;
    return { name, level: "warn", text, todo: "look at what changes before you install it" };
  }
  const paths = differences("spec", installed.spec, crd.spec);
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : "";
  const todo = "install it: tidegate install";
  const text =
    paths.length === 0
      ? "installed as it is here"
      : `installed, and other than here in ${paths.slice(0, SHOWN).join(", ")}${more}`;
  return check(name, paths.length === 0, { text, todo, level: "warn" });
}

/** So many differences are named. */
const SHOWN = 3;

/** What the API server adds by itself. */
const ADDED = new Set(["spec.conversion", "spec.preserveUnknownFields"]);

/** The paths at which two values in JSON differ. */
function differences(path: string, installed: unknown, here: unknown): readonly string[] {
  if (ADDED.has(path) && here === undefined) return [];
  const both = [installed, here];
  if (!both.every((each) => typeof each === "object" && each !== null)) {
    return installed === here ? [] : [path];
  }
  const [one, other] = both as Readonly<Record<string, unknown>>[];
  const keys = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]);
  return [...keys].flatMap((key) => differences(`${path}.${key}`, one?.[key], other?.[key]));
}
