import type { FieldError } from "./api-error.ts";
import type { AnySchema, Level } from "./crd-schema-part.ts";
import { re2 } from "./re2.ts";
import { forbidden, invalid } from "./schema-errors.ts";

/** The schemas of anyOf, allOf, oneOf and not, with the end of their paths ("anyOf[0]"). */
export function nestedParts(
  schema: AnySchema,
): readonly { readonly key: string; readonly schema: AnySchema }[] {
  const { not } = schema;
  const lists = (["anyOf", "allOf", "oneOf"] as const).flatMap((name) =>
    (schema[name] ?? []).map((part, index) => ({ key: `${name}[${index}]`, schema: part })),
  );
  return not ? [...lists, { key: "not", schema: not }] : lists;
}

/** Inside of anyOf and the like, values can be restricted; types and the like cannot be given. */
export function nestedFaults(
  schema: AnySchema,
  at: { readonly path: string; readonly level: Level; readonly skipTypes?: boolean },
): FieldError[] {
  const { path, level } = at;
  const faults = nestedParts(schema)
    .filter(({ key }) => !(at.skipTypes && key.startsWith("anyOf")))
    .flatMap(({ key, schema: part }) => nestedFaults(part, { path: `${path}.${key}`, level }));
  faults.push(...patternFaults(schema, path));
  if (schema.items) faults.push(...nestedFaults(schema.items, { path: `${path}.items`, level }));
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const field = `${path}.properties[${key}]`;
    faults.push(...nestedFaults(property, { path: field, level: "field" }));
    if (key === "metadata") {
      faults.push(forbidden(field, "must not be specified in a nested context"));
    }
  }
  for (const [key, detail] of Object.entries(FORBIDDEN)) {
    const value = (schema as Readonly<Record<string, unknown>>)[key];
    const given = value !== undefined && value !== false && value !== "" && !isEmpty(value);
    if (given) faults.push(forbidden(`${path}.${key}`, detail));
  }
  return faults;
}

/** Patterns are RE2: one that Go does not compile is refused with its words. */
export function patternFaults({ pattern = "" }: AnySchema, path: string): FieldError[] {
  const { error } = pattern === "" ? {} : re2(pattern);
  if (error === undefined) return [];
  const detail = `must be a valid regular expression, but isn't: ${error}`;
  return [invalid(`${path}.pattern`, pattern, detail)];
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

const FORBIDDEN: Readonly<Record<string, string>> = {
  type: "must be empty to be structural",
  additionalProperties: "must be undefined to be structural",
  default: "must be undefined to be structural",
  title: "must be empty to be structural",
  description: "must be empty to be structural",
  nullable: "must be false to be structural",
  "x-kubernetes-preserve-unknown-fields": "must be false to be structural",
  "x-kubernetes-embedded-resource": "must be false to be structural",
  "x-kubernetes-int-or-string": "must be false to be structural",
  "x-kubernetes-list-map-keys": "must be empty to be structural",
  "x-kubernetes-list-type": "must be undefined to be structural",
  "x-kubernetes-map-type": "must be undefined to be structural",
  "x-kubernetes-validations": "must be empty to be structural",
};
