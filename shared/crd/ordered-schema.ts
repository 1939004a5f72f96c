import type { StructuralSchema } from "./custom-resource-definition.ts";

/** The schema with its keywords in one order, however it was made. Fields stay in the order they were written in. */
export function orderedSchema(schema: StructuralSchema): StructuralSchema {
  const entries = Object.entries(schema) as [keyof StructuralSchema, unknown][];
  const ordered = entries
    .filter(([, value]) => value !== undefined)
    .toSorted(([one], [other]) => rank(one) - rank(other) || (one < other ? -1 : 1))
    .map(([key, value]) => [key, partsOrdered(key, value)] as const);
  return Object.fromEntries(ordered);
}

/** Others follow. */
const ORDER: readonly (keyof StructuralSchema)[] = [
  "title",
  "description",
  "type",
  "format",
  "x-kubernetes-int-or-string",
  "nullable",
  "default",
  "enum",
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "allOf",
  "anyOf",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-map-type",
  "x-kubernetes-validations",
  "required",
  "properties",
  "additionalProperties",
  "items",
];

function rank(key: keyof StructuralSchema): number {
  const index = ORDER.indexOf(key);
  return index < 0 ? ORDER.length : index;
}

function partsOrdered(key: keyof StructuralSchema, value: unknown): unknown {
  if (key === "items" || key === "additionalProperties") return orderedSchema(value as object);
  if (key === "allOf" || key === "anyOf") return (value as object[]).map(orderedSchema);
  if (key !== "properties") return value;
  const fields = Object.entries(value as Record<string, StructuralSchema>);
  return Object.fromEntries(fields.map(([name, field]) => [name, orderedSchema(field)]));
}
