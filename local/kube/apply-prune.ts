import { removeFields, withNamedFields } from "./fields-remove.ts";
import {
  difference,
  emptySet,
  type FieldSet,
  intersection,
  isEmptySet,
  union,
} from "./fields-set.ts";
import type { FieldType } from "./fields-type.ts";
import { fieldsOf } from "./fields-value.ts";
import type { Managers } from "./managed-fields.ts";

/**
 * The merged value without what the manager applied last time (`last`) and nobody owns now.
 * https://github.com/kubernetes-sigs/structured-merge-diff/blob/master/merge/update.go
 */
export function prunedValue(
  {
    merged,
    last,
    managers,
  }: {
    readonly merged: unknown;
    readonly last: FieldSet | undefined;
    readonly managers: Managers;
  },
  type: FieldType,
): unknown {
  if (!last || isEmptySet(last)) return merged;
  const named = (set: FieldSet) => withNamedFields(set, type);
  const all = named(fieldsOf(merged, type));
  const without = removeFields(merged, named(last), type);
  const owned = [...managers.values()].reduce((sum, { set }) => union(sum, set), emptySet());
  const kept = union(named(fieldsOf(without, type)), named(owned));
  const withOwned = removeFields(merged, difference(all, kept), type);
  // What is gone now although it was never in the last set hung below something that was.
  const gone = difference(all, named(fieldsOf(withOwned, type)));
  return removeFields(merged, intersection(gone, named(last)), type);
}
