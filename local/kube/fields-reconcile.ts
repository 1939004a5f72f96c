import type { FieldElement } from "./fields-element.ts";
import { emptySet, type FieldSet, recursiveDifference, setOf, union } from "./fields-set.ts";
import { DEDUCED, type FieldType } from "./fields-type.ts";
import type { ManagedSet } from "./managed-fields.ts";

/**
 * The owners after a change of the schema: whoever owned parts of what is one field now owns the
 * whole. Owners in versions that are no longer served are gone.
 * https://github.com/kubernetes-sigs/structured-merge-diff/blob/master/typed/reconcile_schema.go
 */
export function reconcileManagers(
  managers: ReadonlyMap<string, ManagedSet>,
  {
    type,
    servedVersions,
  }: { readonly type: FieldType; readonly servedVersions?: readonly string[] | undefined },
): Map<string, ManagedSet> {
  const served = [...managers].filter(
    ([, { apiVersion }]) => servedVersions?.includes(apiVersion) ?? true,
  );
  const entries = served.map(([id, entry]): [string, ManagedSet] => {
    const whole: FieldElement[][] = [];
    findWhole(whole, { set: entry.set, path: [], own: false }, type);
    if (whole.length === 0) return [id, entry];
    const paths = setOf(...whole);
    return [id, { ...entry, set: union(recursiveDifference(entry.set, paths), paths) }];
  });
  return new Map(entries);
}

/** `own`: the place is in the set, and nothing below it is. */
interface Owned {
  readonly set: FieldSet;
  readonly path: readonly FieldElement[];
  readonly own: boolean;
}

function findWhole(whole: FieldElement[][], place: Owned, type: FieldType): void {
  const { map, list, scalar } = type.atom();
  if (map) {
    if (map.fields.size === 0 && map.element === DEDUCED) return;
    if (map.atomic) {
      const owned = place.set.members.size > 0 || place.set.children.size > 0;
      if (!place.own && owned) whole.push([...place.path]);
      return;
    }
    descend(whole, place, (element) => map.fields.get(element.slice(2))?.type ?? map.element);
    return;
  }
  if (scalar || !list) return;
  if (list.associative) descend(whole, place, () => list.element);
  else if (!place.own) whole.push([...place.path]);
}

function descend(
  whole: FieldElement[][],
  { set, path }: Owned,
  typeOf: (element: FieldElement) => FieldType | undefined,
): void {
  for (const element of new Set([...set.children.keys(), ...set.members])) {
    const type = typeOf(element);
    if (!type) continue;
    const child = set.children.get(element);
    const own = set.members.has(element) && !child;
    findWhole(whole, { set: child ?? emptySet(), path: [...path, element], own }, type);
  }
}
