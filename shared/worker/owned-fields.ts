import type { KubernetesObject } from "../api/object.ts";

/** An entry of `metadata.managedFields`: who owns which fields, and by which kind of write. */
export interface ManagedFields {
  readonly manager?: string;
  readonly operation?: "Apply" | "Update";
  readonly subresource?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: FieldSet;
}

/** A set of fields (fieldsV1). https://pkg.go.dev/k8s.io/apimachinery/pkg/apis/meta/v1#FieldsV1 */
export interface FieldSet {
  readonly [path: string]: FieldSet;
}

/** The field managers of an object that was read raw. */
export function managersOf(object: KubernetesObject): readonly ManagedFields[] {
  return (object.metadata as { managedFields?: readonly ManagedFields[] }).managedFields ?? [];
}

/** The entry of what this manager has applied to an object, or to a subresource of it. */
export function appliedBy(
  entries: readonly ManagedFields[],
  manager: string,
  subresource = "",
): ManagedFields | undefined {
  return entries.find(
    (entry) =>
      entry.manager === manager &&
      entry.operation === "Apply" &&
      (entry.subresource ?? "") === subresource,
  );
}

/** The values of the fields in `set`, as they stand in `value`. Undefined where none stands there. */
export function extractOwned(value: unknown, set: FieldSet): unknown {
  const paths = Object.keys(set).filter((path) => path !== ".");
  if (paths.length === 0) return value; // A leaf, or a whole atomic value.
  if (Array.isArray(value)) {
    const owned = value.filter((item) => paths.some((path) => names(path, item)));
    return owned.map((item) => {
      const path = paths.find((candidate) => names(candidate, item)) ?? "";
      return path.startsWith("k:") ? extractOwned(item, set[path] ?? {}) : item;
    });
  }
  if (value === null || typeof value !== "object") return value;
  const entries = paths.flatMap((path) => {
    const field = path.slice(2);
    const inner = (value as Record<string, unknown>)[field];
    return inner === undefined ? [] : [[field, extractOwned(inner, set[path] ?? {})] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * The `managedFields` in which what `others` wrote by Update (or by client-side apply) belongs to
 * what `manager` applied. It is client-go's csaupgrade: without it, fields that an operator of the
 * older kind wrote stay co-owned and can never be removed (kubernetes/kubernetes#99003).
 * Undefined where there is nothing to take over.
 */
export function takeOver(
  object: KubernetesObject,
  manager: string,
  others: readonly string[],
): readonly ManagedFields[] | undefined {
  const entries = managersOf(object);
  const taken = entries.filter(
    (entry) =>
      entry.operation === "Update" && !entry.subresource && others.includes(entry.manager ?? ""),
  );
  if (taken.length === 0) return undefined;
  const ours = appliedBy(entries, manager);
  const first = ours ?? taken[0];
  const sets = [...(ours ? [ours] : []), ...taken].map(({ fieldsV1 }) => fieldsV1 ?? {});
  const merged = { ...first, manager, operation: "Apply" as const, fieldsV1: union(sets) };
  return [...entries.filter((entry) => entry !== ours && !taken.includes(entry)), merged];
}

function union(sets: readonly FieldSet[]): FieldSet {
  const paths = new Set(sets.flatMap((set) => Object.keys(set)));
  return Object.fromEntries(
    [...paths].map((path) => [
      path,
      union(sets.flatMap((set) => (set[path] === undefined ? [] : [set[path]]))),
    ]),
  );
}

/** Whether a path names this item of a list: by its keys (k:) or its value (v:). */
function names(path: string, item: unknown): boolean {
  if (path.startsWith("v:")) return JSON.stringify(item) === path.slice(2);
  if (!path.startsWith("k:") || item === null || typeof item !== "object") return false;
  const keys = Object.entries(JSON.parse(path.slice(2)) as Record<string, unknown>);
  return keys.every(([key, value]) => (item as Record<string, unknown>)[key] === value);
}
