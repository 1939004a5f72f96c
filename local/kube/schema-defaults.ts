import { changedFields, changedItems } from "./changed-fields.ts";
import type { Schema } from "./schema.ts";

/**
 * The value with the defaults of the schema filled in, as the API server does for custom resources:
 * where a field of a present object is missing, or null and not nullable; below what was filled in,
 * too. What needs no change is shared with the value, and defaults with the schema.
 */
export function withDefaults<T>(schema: Schema, value: T): T {
  return filled(schema, value) as T;
}

/**
 * The value without nulls that are neither nullable nor have a default: what the API server drops
 * before it fills in defaults. Items of lists stay. Shares what needs no change.
 */
export function withoutNulls<T>(schema: Schema, value: T): T {
  return nullsDropped(schema, value) as T;
}

function filled(schema: Schema | undefined, value: unknown): unknown {
  if (!schema || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return changedItems(value, (item) => {
      return filled(schema.items, isStrayNull(schema.items, item) ? defaultOf(schema.items) : item);
    });
  }
  return changedFields(withMissing(schema, value), (each, key) => {
    const found = fieldSchema(schema, key);
    return filled(found, isStrayNull(found, each) ? defaultOf(found) : each);
  });
}

/** With the fields that are missing and have a default, before what is below them is looked at. */
function withMissing({ properties = {} }: Schema, value: object): object {
  let made: Record<string, unknown> | undefined;
  for (const [key, { default: given }] of Object.entries(properties)) {
    if (given === undefined || given === null || Object.hasOwn(value, key)) continue;
    made ??= { ...value };
    made[key] = given;
  }
  return made ?? value;
}

function nullsDropped(schema: Schema | undefined, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return changedItems(value, (item) => nullsDropped(schema?.items, item));
  return changedFields(value, (each, key) => {
    const found = schema && fieldSchema(schema, key);
    const dropped = isStrayNull(found, each) && defaultOf(found) === null;
    return dropped ? undefined : nullsDropped(found, each);
  });
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
  return schema?.default ?? null;
}
