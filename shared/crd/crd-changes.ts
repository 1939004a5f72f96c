import { isDeepStrictEqual } from "node:util";
import type { CrdVersion, CustomResourceDefinition } from "./custom-resource-definition.ts";
import { type CrdChange, schemaChanges } from "./schema-changes.ts";

/** A definition as a cluster answers it. */
export interface InstalledCrd extends Pick<CustomResourceDefinition, "spec"> {
  readonly status?: { readonly storedVersions?: readonly string[] };
}

/**
 * What breaks when `next` takes the place of `installed`: objects that would be refused, fields that
 * would be dropped, requests that would find nothing. Nothing where all that worked goes on to work.
 */
export function crdChanges(
  installed: InstalledCrd,
  next: CustomResourceDefinition,
): readonly CrdChange[] {
  const { spec: before } = installed;
  const { spec: after } = next;
  return [
    ...differs("group", before.group, after.group),
    ...differs("scope", before.scope, after.scope),
    ...differs("names.kind", before.names.kind, after.names.kind),
    ...differs("names.plural", before.names.plural, after.names.plural),
    ...aliasesGone(before.names, after.names),
    ...storageChanges(installed, next),
    ...before.versions.flatMap((version) => versionChanges(version, after.versions)),
  ];
}

type Names = CustomResourceDefinition["spec"]["names"];

function differs(path: string, before: string, after: string): readonly CrdChange[] {
  if (before === after) return [];
  return [{ path, change: `changed from ${before} to ${after}: make a definition of its own` }];
}

function aliasesGone(before: Names, after: Names): readonly CrdChange[] {
  const aliases = ({ singular, shortNames = [] }: Names) => [singular, ...shortNames];
  return aliases(before)
    .filter((name) => name && !aliases(after).includes(name))
    .map((name) => ({ path: "names", change: `${name} is no name of it any more` }));
}

function storageChanges(
  { spec, status }: InstalledCrd,
  next: CustomResourceDefinition,
): readonly CrdChange[] {
  const [before, after] = [spec, next.spec].map(({ versions }) => {
    return versions.find(({ storage }) => storage)?.name;
  });
  const names = next.spec.versions.map(({ name }) => name);
  const gone = (status?.storedVersions ?? []).filter((name) => !names.includes(name));
  return [
    ...gone.map((name) => ({
      path: name,
      change: "removed while objects are stored in it: the API server refuses that",
    })),
    ...(before !== after && before !== undefined
      ? [
          {
            path: "versions",
            change: `stored in ${after} instead of ${before}: fields are not converted`,
          },
        ]
      : []),
  ];
}

function versionChanges(before: CrdVersion, versions: readonly CrdVersion[]): readonly CrdChange[] {
  const { name: path, served } = before;
  const after = versions.find(({ name }) => name === path);
  if (!served) return [];
  if (!after?.served) return [{ path, change: after ? "no longer served" : "removed" }];
  const schemas = [before, after].map(({ schema }) => schema.openAPIV3Schema);
  return [
    ...subresourceChanges(before, after),
    ...(before.selectableFields ?? [])
      .filter(({ jsonPath }) => !after.selectableFields?.some((each) => each.jsonPath === jsonPath))
      .map(({ jsonPath }) => ({ path: `${path}${jsonPath}`, change: "no longer selectable" })),
    ...schemaChanges(path, schemas[0] ?? {}, schemas[1] ?? {}),
  ];
}

function subresourceChanges(before: CrdVersion, after: CrdVersion): readonly CrdChange[] {
  const { name: path } = before;
  const [had, has] = [before.subresources ?? {}, after.subresources ?? {}];
  const changes: CrdChange[] = [];
  if (had.status && !has.status) {
    changes.push({ path, change: "subresource status removed: its writers get 404" });
  }
  if (!had.status && has.status) {
    const change = "subresource status added: a status that is written on the object is ignored";
    changes.push({ path, change });
  }
  if (had.scale && !has.scale) {
    changes.push({ path, change: "subresource scale removed: autoscalers get 404" });
  }
  if (had.scale && has.scale && !isDeepStrictEqual(had.scale, has.scale)) {
    changes.push({ path, change: "subresource scale stands for other fields" });
  }
  return changes;
}
