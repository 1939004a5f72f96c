import { durationOf, timestampOf } from "../cel/cel-time.ts";
import { type CelKey, type CelValue, withListKind } from "../cel/cel-value.ts";
import { escapedName, fieldNames, withMeta } from "./cel-schema-type.ts";
import type { Schema } from "./schema.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON value as rules see it: fields that the schema does not name are not there. */
export function celValueOf(value: unknown, schema: Schema, root: boolean): CelValue {
  if (value === null || value === undefined) return null;
  if (schema["x-kubernetes-int-or-string"]) return scalar(value, "integer");
  if (Array.isArray(value)) return listOf(value, schema);
  if (typeof value === "object") {
    return mapOf(value as JsonObject, root ? withMeta(schema) : schema);
  }
  return typeof value === "string" ? textOf(value, schema) : scalar(value, schema.type);
}

function scalar(value: unknown, type: string | undefined): CelValue {
  if (type === "integer" && Number.isInteger(value)) return BigInt(value as number);
  return value as string | number | boolean;
}

/** A text that is not of its format stays a text, which no function of the format's type takes. */
function textOf(text: string, { type, format }: Schema): CelValue {
  if (type !== "string") return text;
  switch (format) {
    case "byte":
      return Buffer.from(text, "base64");
    case "duration":
      return durationOf(text) ?? text;
    case "date":
      return timestampOf(`${text}T00:00:00Z`) ?? text;
    case "date-time":
      return timestampOf(text.toUpperCase()) ?? text;
    default:
      return text;
  }
}

function listOf(items: readonly unknown[], schema: Schema): CelValue {
  const { items: schemaOfItems } = schema;
  if (!schemaOfItems) return [];
  const list = items.map((each) => partOf(each, schemaOfItems));
  const type = schema["x-kubernetes-list-type"];
  if (type === "set") return withListKind(list, "set");
  if (type !== "map") return list;
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  return withListKind(
    list,
    keys.map((key) => escapedName(key) ?? key),
  );
}

function partOf(value: unknown, schema: Schema): CelValue {
  return celValueOf(value, schema, schema["x-kubernetes-embedded-resource"] === true);
}

function mapOf(object: JsonObject, schema: Schema): CelValue {
  const { properties = {}, additionalProperties: more } = schema;
  const map = new Map<CelKey, CelValue>();
  for (const [key, value] of Object.entries(object)) {
    if (typeof more === "object") {
      map.set(key, partOf(value, more));
      continue;
    }
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    // A field that is null counts as absent.
    if (!property || value === null) continue;
    const part = partOf(value, property);
    for (const each of fieldNames(key)) map.set(each, part);
  }
  return map;
}
