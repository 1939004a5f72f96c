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
  visit(schema, value, { path: "", drop: (_, path) => found.push(path) });
  return found.sort();
}

/** A copy without the fields that the schema does not know. Shares what it need not change. */
export function prune<T>(schema: Schema, value: T): T {
  const copy = structuredClone(value);
  visit(asRoot(schema), copy, {
    path: "",
    drop: (holder, _, key) => Reflect.deleteProperty(holder, key),
  });
  return copy;
}

interface Visit {
  readonly path: string;
  readonly drop: (holder: Record<string, unknown>, path: string, key: string) => void;
}

const META_FIELDS = new Set(["apiVersion", "kind", "metadata"]);

/** Even where the schema does not name them, an object has its meta fields. */
function asRoot(schema: Schema): Schema {
  return { ...schema, "x-kubernetes-embedded-resource": true };
}

function visit(schema: Schema | undefined, value: unknown, at: Visit): void {
  if (Array.isArray(value)) visitItems(schema, value, at);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const holder = value as Record<string, unknown>;
  for (const [key, each] of Object.entries(holder)) {
    const path = at.path === "" ? key : `${at.path}.${key}`;
    const known = fieldOf(schema, key);
    if (known === "unknown") at.drop(holder, path, key);
    else if (known !== "any") visit(known, each, { ...at, path });
  }
}

function visitItems(schema: Schema | undefined, items: readonly unknown[], at: Visit): void {
  const kept = keepsUnknown(schema);
  items.forEach((item, index) => {
    const next = { ...at, path: `${at.path}[${index}]` };
    if (schema?.items) visit(kept ? keeping(schema.items) : schema.items, item, next);
    else if (!kept) visit(undefined, item, next);
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
