import { sameJson } from "./fields-equal.ts";
import { isMap } from "./fields-value.ts";
import type { Schema } from "./schema.ts";

/** What of an object before a write stands for a part of the object after it. */
export interface Correlation {
  readonly value: unknown;
  /** Undefined where nothing can be matched: items of lists without keys, what is new. */
  readonly before: unknown;
  /** The nearest part above that has something before it. */
  readonly above: Correlation | undefined;
}

/**
 * Whether a fault of that part is forgiven since a write did not change it: neither the part, nor,
 * where nothing stood for it, what it is a part of ("ratcheting").
 */
export function unchanged({ value, before, above }: Correlation): boolean {
  if (before !== undefined) return sameJson(before, value);
  return above !== undefined && sameJson(above.before, above.value);
}

/** Of a field of an object or an entry of a map. */
export function ofField(parent: Correlation, key: string, value: unknown): Correlation {
  // Both are of the version that is asked for, so that a change of these cannot be seen.
  const hidden = !parent.above && (key === "apiVersion" || key === "kind");
  if (hidden && parent.before !== undefined) return { value, before: undefined, above: undefined };
  return part(parent, value, (before) => (isMap(before) ? before[key] : undefined));
}

/** Of an item: one is found again by its keys alone. */
export function ofItem(parent: Correlation, schema: Schema, value: unknown): Correlation {
  return part(parent, value, (before) => itemBefore(schema, before, value));
}

function part(
  parent: Correlation,
  value: unknown,
  find: (before: unknown) => unknown,
): Correlation {
  if (parent.before === undefined) return { ...parent, value };
  return { value, before: find(parent.before) ?? undefined, above: parent };
}

/** The item with the same keys; undefined in all lists but those of type map. */
export function itemBefore(schema: Schema, before: unknown, item: unknown): unknown {
  const keys = schema["x-kubernetes-list-map-keys"];
  if (schema["x-kubernetes-list-type"] !== "map" || !keys || !Array.isArray(before)) {
    return undefined;
  }
  const keysOf = (of: unknown) => keys.map((key) => (isMap(of) ? of[key] : undefined));
  return before.find((each: unknown) => sameJson(keysOf(each), keysOf(item)));
}
