import { changedFields, changedItems } from "./changed-fields.ts";
import type { Schema } from "./schema.ts";

/**
 * The paths of fields that the schema does not know ("spec.typo", "spec.items[0].typo"), sorted: what
 * `prune` drops. Nothing is looked for under `x-kubernetes-preserve-unknown-fields`, except below
 * properties that are named there. `apiVersion`, `kind` and `metadata` of the object and of embedded
 * resources are always known.
 */
export function unknownFields(schema: Schema, value: unknown): string[] {
  return unknownPartFields(asRoot(schema), value);
}

/** As `unknownFields` of a value inside of an object, which has no meta fields of its own. */
export function unknownPartFields(schema: Schema, value: unknown): string[] {
  const found: string[] = [];
  pruned(schema, value, { path: [], drop: (path) => found.push(path) });
  return found.sort();
}

/** The value without the fields that the schema does not know. Shares what needs no change. */
export function prune<T>(schema: Schema, value: T): T {
  return pruned(asRoot(schema), value, { path: [], drop: () => {} }) as T;
}

interface Visit {
  /** Where the visit is, in parts of a text; grows and shrinks on its way. */
  readonly path: string[];
  /** Told of each field that is dropped. */
  readonly drop: (path: string) => void;
}

const META_FIELDS = new Set(["apiVersion", "kind", "metadata"]);

/** Even where the schema does not name them, an object has its meta fields. */
function asRoot(schema: Schema): Schema {
  const known = roots.get(schema) ?? { ...schema, "x-kubernetes-embedded-resource": true };
  roots.set(schema, known);
  return known;
}

/** Safe to lose. */
const roots = new WeakMap<Schema, Schema>();

function pruned(schema: Schema | undefined, value: unknown, at: Visit): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return prunedItems(schema, value, at);
  return changedFields(value, (each, key) => {
    const known = fieldOf(schema, key);
    if (known === "any") return each;
    at.path.push(at.path.length === 0 ? key : `.${key}`);
    if (known === "unknown") at.drop(at.path.join(""));
    const kept = known === "unknown" ? undefined : pruned(known, each, at);
    at.path.pop();
    return kept;
  });
}

function prunedItems(schema: Schema | undefined, items: readonly unknown[], at: Visit): unknown {
  const kept = keepsUnknown(schema);
  if (kept && !schema?.items) return items;
  const each = kept && schema?.items ? keeping(schema.items) : schema?.items;
  let index = 0;
  return changedItems(items, (item) => {
    at.path.push(`[${index}]`);
    index += 1;
    const made = pruned(each, item, at);
    at.path.pop();
    return made;
  });
}

/** Unknown fields of the items stay too, as those of the list do. */
function keeping(schema: Schema): Schema {
  return { ...schema, "x-kubernetes-preserve-unknown-fields": true };
}

/** The schema of a field; "any" where nothing below is checked. */
function fieldOf(schema: Schema | undefined, key: string): Schema | "any" | "unknown" | undefined {
  if (!schema) return "unknown";
  const property = ownProperty(schema, key);
  if (schema["x-kubernetes-embedded-resource"] && META_FIELDS.has(key)) return property ?? "any";
  if (property) return property;
  const more = schema.additionalProperties;
  if (typeof more === "object") return more;
  if (keepsUnknown(schema)) return "any";
  // As a boolean, additionalProperties lets the key be and nothing below it.
  return more === undefined ? "unknown" : undefined;
}

function ownProperty({ properties }: Schema, key: string): Schema | undefined {
  return properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
}

/** Data of built-in kinds that may be any JSON have no type; some have no schema at all. */
function keepsUnknown(schema: Schema | undefined): boolean {
  if (!schema) return false;
  return (
    schema["x-kubernetes-preserve-unknown-fields"] === true || Object.keys(schema).length === 0
  );
}
