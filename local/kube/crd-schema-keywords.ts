import type { FieldError } from "./api-error.ts";
import { writtenRuleFaults } from "./cel-definition-faults.ts";
import { listKeyFaults } from "./crd-schema-lists.ts";
import { nestedParts } from "./crd-schema-nested.ts";
import { type AnySchema, isSchema } from "./crd-schema-part.ts";
import type { Schema } from "./schema.ts";
import { forbidden, invalid, notSupported, required } from "./schema-errors.ts";

/** Faults of keywords that no schema of a CustomResourceDefinition may have, or not in that way. */
export function schemaFaults(
  schema: AnySchema,
  path: string,
  at: { readonly root: boolean; readonly meta: boolean },
): FieldError[] {
  return [
    ...typeFaults(schema, path),
    ...keywordFaults(schema, path, at.meta),
    ...mapFaults(schema, path),
    ...partFaults(schema, path, at),
    ...mapTypeFaults(schema, path),
    ...listKeyFaults(schema, path),
    ...writtenRuleFaults(schema as Schema, path),
  ];
}

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];

function typeFaults({ type = "" }: AnySchema, path: string): FieldError[] {
  if (type === "" || TYPES.includes(type)) return [];
  const faults = [notSupported(`${path}.type`, type, TYPES)];
  if (type === "null") {
    const detail = "type cannot be set to null, use nullable as an alternative";
    faults.push(forbidden(`${path}.type`, detail));
  }
  return faults;
}

const UNSUPPORTED = [
  "id",
  "additionalItems",
  "patternProperties",
  "definitions",
  "dependencies",
  "$ref",
];

function keywordFaults(schema: AnySchema, path: string, meta: boolean): FieldError[] {
  const given = schema as Readonly<Record<string, unknown>>;
  const faults = UNSUPPORTED.filter((key) => given[key] !== undefined).map((key) => {
    return forbidden(`${path}.${key}`, `${key} is not supported`);
  });
  if (Array.isArray(schema.items)) {
    const detail = "items must be a schema object and not an array";
    faults.push(forbidden(`${path}.items`, detail));
  }
  if (meta && schema["x-kubernetes-embedded-resource"]) {
    const field = `${path}.x-kubernetes-embedded-resource`;
    faults.push(forbidden(field, "must not be used inside of resource meta"));
  }
  if (schema.uniqueItems) {
    const detail =
      "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    faults.push(forbidden(`${path}.uniqueItems`, detail));
  }
  return faults;
}

function mapFaults({ additionalProperties: more, properties = {} }: AnySchema, path: string) {
  const field = `${path}.additionalProperties`;
  const faults: FieldError[] = [];
  if (more === undefined) return faults;
  if (Object.keys(properties).length > 0 && more !== true) {
    faults.push(forbidden(field, "additionalProperties and properties are mutual exclusive"));
  }
  return faults;
}

const META_FIELDS = new Set(["apiVersion", "kind", "metadata"]);

function partFaults(
  schema: AnySchema,
  path: string,
  at: { readonly root: boolean; readonly meta: boolean },
): FieldError[] {
  const { items, properties = {}, additionalProperties: more } = schema;
  const inside = { root: false, meta: at.meta };
  const faults: FieldError[] = [];
  if (isSchema(more)) faults.push(...schemaFaults(more, `${path}.additionalProperties`, inside));
  const embedded = at.root || schema["x-kubernetes-embedded-resource"] === true;
  for (const [key, property] of Object.entries(properties)) {
    const field = `${path}.properties[${key}]`;
    const meta = at.meta || (embedded && META_FIELDS.has(key));
    if (at.root && META_FIELDS.has(key) && property.default !== undefined) {
      faults.push(forbidden(`${field}.default`, `must not be set in top-level ${key}`));
    }
    faults.push(...schemaFaults(property, field, { root: false, meta }));
  }
  for (const { key, schema: part } of nestedParts(schema)) {
    faults.push(...schemaFaults(part, `${path}.${key}`, inside));
  }
  if (items && !Array.isArray(items)) {
    faults.push(...schemaFaults(items, `${path}.items`, inside));
  }
  return faults;
}

function mapTypeFaults(schema: AnySchema, path: string): FieldError[] {
  const mapType: string | undefined = schema["x-kubernetes-map-type"];
  const faults: FieldError[] = [];
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    const field = `${path}.x-kubernetes-preserve-unknown-fields`;
    faults.push(invalid(field, false, "must be true or undefined"));
  }
  if (mapType === undefined) return faults;
  if (schema.type !== "object") {
    const detail = "must be object if x-kubernetes-map-type is specified";
    const field = `${path}.type`;
    faults.push(schema.type ? invalid(field, schema.type, detail) : required(field, detail));
  }
  if (mapType !== "atomic" && mapType !== "granular") {
    faults.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ["atomic", "granular"]));
  }
  return faults;
}
