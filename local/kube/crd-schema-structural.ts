import type { FieldError } from "./api-error.ts";
import { expressionFaults } from "./cel-definition-faults.ts";
import { defaultFaults } from "./crd-schema-defaults.ts";
import { schemaFaults } from "./crd-schema-keywords.ts";
import { nestedFaults, nestedParts, patternFaults } from "./crd-schema-nested.ts";
import { type AnySchema, isSchema, type Level } from "./crd-schema-part.ts";
import type { Schema } from "./schema.ts";
import { faultText, forbidden, invalid, required } from "./schema-errors.ts";

/**
 * The faults for which the API server refuses a CustomResourceDefinition with that schema. `path` is
 * where the schema stands; the API server says "spec.validation.openAPIV3Schema" if all versions have
 * the same, as where there is one version, else "spec.versions[0].schema.openAPIV3Schema".
 */
export function checkStructural(
  schema: Schema,
  path = "spec.validation.openAPIV3Schema",
): FieldError[] {
  const root = schema as AnySchema;
  const nullable = root.nullable
    ? [forbidden(`${path}.nullable`, "nullable cannot be true at the root")]
    : [];
  const keywords = schemaFaults(root, path, { root: true, meta: false });
  // A schema with keywords that cannot be at all is not looked at any further.
  if (keywords.some(({ message }) => UNREADABLE.test(message))) return [...nullable, ...keywords];
  const structural = [...structureFaults(root, "root", path), ...missingFaults(root, root, path)];
  structural.sort((a, b) => (faultText(a) < faultText(b) ? -1 : 1));
  const more = structural.length > 0 ? structural : defaultFaults(root, path);
  const expressions = expressionFaults(schema, { path, root: true, found: [...keywords, ...more] });
  return [...nullable, ...keywords, ...expressions, ...more];
}

const UNREADABLE = /^Forbidden: (\S+ is not supported|items must be a schema object)/;

function structureFaults(schema: AnySchema, level: Level, path: string): FieldError[] {
  return [
    ...partFaults(schema, level, path),
    ...extensionFaults(schema, path),
    ...valueFaults(schema, level, path),
    ...typeFaults(schema, level, path),
    ...metaFaults(schema, level, path),
  ];
}

function partFaults(schema: AnySchema, level: Level, path: string): FieldError[] {
  const { type, items, properties = {}, additionalProperties: more } = schema;
  const faults: FieldError[] = [];
  if (type === "array" && !items) faults.push(required(`${path}.items`, "must be specified"));
  if (items) faults.push(...structureFaults(items, "item", `${path}.items`));
  for (const [key, property] of Object.entries(properties)) {
    faults.push(...structureFaults(property, "field", `${path}.properties[${key}]`));
  }
  if (more !== undefined && level === "root") {
    faults.push(forbidden(`${path}.additionalProperties`, "must not be used at the root"));
  }
  if (isSchema(more))
    faults.push(...structureFaults(more, "field", `${path}.additionalProperties`));
  return faults;
}

function extensionFaults(schema: AnySchema, path: string): FieldError[] {
  if (!schema["x-kubernetes-int-or-string"]) return [];
  const names = ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] as const;
  return names
    .filter((name) => schema[name] === true)
    .map((name) => {
      return invalid(
        `${path}.${name}`,
        true,
        "must be false if x-kubernetes-int-or-string is true",
      );
    });
}

/** anyOf and allOf may say the types of an int-or-string in one of two forms, and no others. */
function valueFaults(schema: AnySchema, level: Level, path: string): FieldError[] {
  const parts = nestedParts(schema).filter(({ key, schema: part }) => {
    return !(key.startsWith("anyOf") && isIntOrString(schema) && part.type !== undefined);
  });
  const faults = parts.flatMap(({ key, schema: part }) => {
    const skipTypes = key === "allOf[0]" && isIntOrString(part);
    return nestedFaults(part, { path: `${path}.${key}`, level, skipTypes });
  });
  return [...faults, ...patternFaults(schema, path)];
}

function isIntOrString({ anyOf = [] }: AnySchema): boolean {
  return JSON.stringify(anyOf) === '[{"type":"integer"},{"type":"string"}]';
}

const EMPTY_TYPE: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function typeFaults(schema: AnySchema, level: Level, path: string): FieldError[] {
  const { type = "", additionalProperties: more } = schema;
  const faults: FieldError[] = [];
  const field = `${path}.type`;
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  const open = schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (embedded && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    faults.push(type === "" ? required(field, detail) : invalid(field, type, detail));
  } else if (type === "" && !schema["x-kubernetes-int-or-string"] && !open) {
    faults.push(required(field, EMPTY_TYPE[level]));
  }
  if (embedded && more !== undefined) {
    const detail = "must not be used if x-kubernetes-embedded-resource is set";
    faults.push(forbidden(`${path}.additionalProperties`, detail));
  }
  if (level === "root" && type !== "" && type !== "object") {
    faults.push(invalid(field, type, "must be object at the root"));
  }
  return faults;
}

function metaFaults(schema: AnySchema, level: Level, path: string): FieldError[] {
  const { properties = {} } = schema;
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  const faults: FieldError[] = [];
  const checked = level === "root" || embedded;
  for (const key of ["kind", "apiVersion"]) {
    const { type = "" } = properties[key] ?? { type: "string" };
    if (checked && type !== "string") {
      faults.push(invalid(`${path}.properties[${key}].type`, type, "must be string"));
    }
  }
  const { metadata } = properties;
  if (metadata) faults.push(...metadataFaults(metadata, { path, level, checked }));
  const open = schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (embedded && !open && Object.keys(properties).length === 0) {
    const detail =
      "must not be empty if x-kubernetes-embedded-resource is true without " +
      "x-kubernetes-preserve-unknown-fields";
    faults.push(required(`${path}.properties`, detail));
  }
  return faults;
}

function metadataFaults(
  metadata: AnySchema,
  at: { readonly path: string; readonly level: Level; readonly checked: boolean },
): FieldError[] {
  const field = `${at.path}.properties[metadata]`;
  const { type = "", default: _, properties = {}, ...rest } = metadata;
  const faults: FieldError[] = [];
  if (at.checked && type !== "object") {
    faults.push(invalid(`${field}.type`, type, "must be object"));
  }
  const known = Object.keys(properties).every((key) => key === "name" || key === "generateName");
  if (at.level === "root" && (!known || Object.keys(rest).length > 0)) {
    const detail =
      "must not specify anything other than name and generateName, but metadata is implicitly " +
      "specified";
    faults.push(forbidden(field, detail));
  }
  return faults;
}

/** What anyOf and the like speak of must be specified outside of them too. */
function missingFaults(
  nested: AnySchema,
  schema: AnySchema | undefined,
  path: string,
): FieldError[] {
  return nestedParts(nested).flatMap(({ key, schema: part }) => {
    return missingParts(part, schema, { path, nested: `${path}.${key}` });
  });
}

function missingParts(
  part: AnySchema,
  schema: AnySchema | undefined,
  at: { readonly path: string; readonly nested: string },
): FieldError[] {
  if (!schema) return [required(at.path, `because it is defined in ${at.nested}`)];
  const faults = nestedParts(part).flatMap(({ key, schema: inner }) => {
    return missingParts(inner, schema, { path: at.path, nested: `${at.nested}.${key}` });
  });
  const below = (suffix: string) => ({
    path: `${at.path}.${suffix}`,
    nested: `${at.nested}.${suffix}`,
  });
  if (part.items) faults.push(...missingParts(part.items, schema.items, below("items")));
  for (const [key, property] of Object.entries(part.properties ?? {})) {
    const place = below(`properties[${key}]`);
    faults.push(...missingParts(property, schema.properties?.[key], place));
  }
  return faults;
}
