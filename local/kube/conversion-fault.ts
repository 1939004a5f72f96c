import { goType } from "./fields-text.ts";
import { isMap } from "./fields-value.ts";
import type { Schema } from "./schema.ts";

/**
 * Why Go cannot make the type of a built-in kind of a JSON value that was read already, in its words:
 * so it refuses what a strategic merge made. Undefined where it can, or says it in other words.
 */
export function conversionFault(schema: Schema, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (schema["x-kubernetes-int-or-string"] || schema.format === "date-time") return undefined;
  const { properties, additionalProperties: more, items } = schema;
  if (properties) {
    if (!isMap(value)) return `cannot restore struct from: ${kindOf(value)}`;
    return first(Object.entries(value), ([key, each]) =>
      conversionFault(properties[key] ?? {}, each),
    );
  }
  if (typeof more === "object") {
    if (!isMap(value)) return `cannot restore map from ${kindOf(value)}`;
    return first(Object.values(value), (each) => conversionFault(more, each));
  }
  if (schema.type === "array") {
    if (!Array.isArray(value)) return `cannot restore slice from ${kindOf(value)}`;
    return first(value, (each) => conversionFault(items ?? {}, each));
  }
  return scalarFault(schema, value);
}

const TYPES: Readonly<Record<string, string>> = {
  string: "string",
  boolean: "bool",
  integer: "int32",
  number: "float64",
};

function scalarFault({ type = "object", format }: Schema, value: unknown): string | undefined {
  const expected = type === "integer" ? (format ?? "int32") : TYPES[type];
  if (expected === undefined || format === "byte") return undefined;
  const fits = type === "integer" ? Number.isInteger(value) : typeof value === type;
  return fits ? undefined : `cannot convert ${kindOf(value)} to ${expected}`;
}

/** As Go's reflection names the kind of a decoded value. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "slice";
  return isMap(value) ? "map" : goType(value);
}

function first<T>(list: readonly T[], check: (item: T) => string | undefined): string | undefined {
  for (const item of list) {
    const fault = check(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
