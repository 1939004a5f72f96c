import type { Schema } from "./schema.ts";

/**
 * A copy with the defaults of the schema filled in, as the API server does for custom resources: where
 * a field of a present object is missing, or null and not nullable; below what was filled in, too.
 */
export function withDefaults<T>(schema: Schema, value: T): T {
  const copy = structuredClone(value);
  fill(schema, copy);
  return copy;
}

/**
 * A copy without nulls that are neither nullable nor have a default: what the API server drops before
 * it fills in defaults. Items of lists stay.
 */
export function withoutNulls<T>(schema: Schema, value: T): T {
  const copy = structuredClone(value);
  dropNulls(schema, copy);
  return copy;
}

function fill(schema: Schema | undefined, value: unknown): void {
  if (!schema || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      if (isStrayNull(schema.items, item)) value[index] = defaultOf(schema.items);
      fill(schema.items, value[index]);
    });
    return;
  }
  const holder = value as Record<string, unknown>;
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (property.default === undefined || property.default === null) continue;
    if (!Object.hasOwn(holder, key) || isStrayNull(property, holder[key])) {
      holder[key] = structuredClone(property.default);
    }
  }
  for (const key of Object.keys(holder)) {
    const found = fieldSchema(schema, key);
    const own = schema.properties && Object.hasOwn(schema.properties, key);
    if (!own && isStrayNull(found, holder[key])) holder[key] = defaultOf(found);
    fill(found, holder[key]);
  }
}

function dropNulls(schema: Schema | undefined, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) dropNulls(schema?.items, item);
    return;
  }
  const holder = value as Record<string, unknown>;
  for (const [key, each] of Object.entries(holder)) {
    const found = schema && fieldSchema(schema, key);
    if (isStrayNull(found, each) && defaultOf(found) === null) Reflect.deleteProperty(holder, key);
    else dropNulls(found, each);
  }
}

function fieldSchema(schema: Schema, key: string): Schema | undefined {
  const { properties, additionalProperties: more } = schema;
  if (properties && Object.hasOwn(properties, key)) return properties[key];
  return typeof more === "object" ? more : undefined;
}

function isStrayNull(schema: Schema | undefined, value: unknown): boolean {
  return value === null && schema !== undefined && schema.nullable !== true;
}

function defaultOf(schema: Schema | undefined): unknown {
  return structuredClone(schema?.default ?? null);
}
