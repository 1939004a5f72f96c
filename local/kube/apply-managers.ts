import { type ApplyConflict, conflictsOf } from "./apply-conflict.ts";
import { withoutNeverOwned, writableFields } from "./apply-reset.ts";
import { type Comparison, compareValues } from "./fields-compare.ts";
import { difference, intersection, isEmptySet, union } from "./fields-set.ts";
import type { FieldType } from "./fields-type.ts";
import {
  capManagers,
  type ManagedSet,
  type Managers,
  managerId,
  withoutEmpty,
} from "./managed-fields.ts";
import type { ServedResource } from "./served-resource.ts";

/** Who writes what; the same for all ways of writing. */
export interface FieldWrite {
  readonly resource: ServedResource;
  readonly type: FieldType;
  /** "status" or "scale" (of which the objects compared still are the whole parent object). */
  readonly subresource?: string | undefined;
  readonly manager: string;
  readonly nowMs: number;
  /** All that the kind is served in ("apps/v1"): owners in others are forgotten. Default: none is. */
  readonly servedVersions?: readonly string[] | undefined;
}

/** The owners after a write that is no apply. */
export function managersAfterUpdate(
  { before, after, managers }: { before: unknown; after: unknown; managers: Managers },
  write: FieldWrite,
): Managers {
  const comparison = writableComparison(before, after, write);
  const { added, modified } = comparison;
  const { managers: kept } = takeFields(managers, comparison);
  const set = withoutNeverOwned(writableSet(union(modified, added), write));
  if (isEmptySet(set)) return capManagers(kept);
  const entry = entryOf(write, "Update");
  const id = managerId(entry);
  const previous = kept.get(id);
  kept.set(id, { ...entry, set: previous ? union(set, previous.set) : set });
  return capManagers(kept);
}

/** The owners after an apply, and the fields that were taken from others. */
export function managersAfterApply(
  { before, after, managers }: { before: unknown; after: unknown; managers: Managers },
  write: FieldWrite,
): { managers: Map<string, ManagedSet>; conflicts: readonly ApplyConflict[] } {
  const id = managerId(entryOf(write, "Apply"));
  const own = managers.get(id);
  const others = new Map([...managers].filter(([other]) => other !== id));
  const taken = takeFields(others, writableComparison(before, after, write));
  const set = own && withoutNeverOwned(own.set);
  if (own && set && !isEmptySet(set)) taken.managers.set(id, { ...own, set });
  return taken;
}

/**
 * The entry of this write. Writes through the scale have no time, as on kube-apiserver 1.37.
 * https://github.com/kubernetes/apimachinery/blob/master/pkg/util/managedfields/scalehandler.go
 */
export function entryOf(write: FieldWrite, operation: "Apply" | "Update"): Omit<ManagedSet, "set"> {
  const { group, version } = write.resource;
  const { subresource = "" } = write;
  return {
    manager: write.manager || "unknown",
    operation,
    subresource,
    apiVersion: group ? `${group}/${version}` : version,
    time: subresource === "scale" ? undefined : timeText(write.nowMs),
  };
}

export function writableSet(set: Comparison["added"], write: FieldWrite): Comparison["added"] {
  return writableFields(set, write.resource, write.subresource);
}

/** In whole seconds. */
function timeText(ms: number): string {
  return new Date(Math.floor(ms / 1000) * 1000).toISOString().replace(".000Z", "Z");
}

function writableComparison(before: unknown, after: unknown, write: FieldWrite): Comparison {
  const { added, modified, removed } = compareValues(before, after, write.type);
  return {
    added: writableSet(added, write),
    modified: writableSet(modified, write),
    removed: writableSet(removed, write),
  };
}

/** Changed and removed fields leave their managers. */
function takeFields(
  managers: Managers,
  { added, modified, removed }: Comparison,
): { managers: Map<string, ManagedSet>; conflicts: readonly ApplyConflict[] } {
  const changed = union(modified, added);
  const lost = new Map<string, ManagedSet>();
  const kept = new Map<string, ManagedSet>();
  for (const [id, entry] of managers) {
    const set = intersection(entry.set, changed);
    lost.set(id, { ...entry, set });
    const left = difference(difference(entry.set, set), removed);
    kept.set(id, left === entry.set ? entry : { ...entry, set: left });
  }
  return { managers: withoutEmpty(kept), conflicts: conflictsOf(withoutEmpty(lost)) };
}
