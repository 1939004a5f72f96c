import type { StructuralSchema } from "../shared/crd/custom-resource-definition.ts";

/** What is read of a definition that somebody else wrote: more than a structural schema of ours says. */
export interface ForeignSchema
  extends Omit<StructuralSchema, "additionalProperties" | "properties" | "items"> {
  readonly properties?: Readonly<Record<string, ForeignSchema>>;
  readonly items?: ForeignSchema;
  readonly additionalProperties?: ForeignSchema | boolean;
}

/**
 * The JSON Schema of the values that the API server answers for a structural schema. Only what makes a
 * type is taken over, and nothing that could refer to another place: bounds, rules and combinations
 * (`oneOf`, `not`, ...) make no type there. A field that is left out of the schema is dropped by the
 * API server, and so is not in the type.
 */
export function typeSchema(schema: ForeignSchema): object {
  const { description, nullable } = schema;
  const value = plainSchema(schema);
  return {
    ...(description && { description: commentText(description) }),
    ...(nullable ? { anyOf: [value, { type: "null" }] } : value),
  };
}

/** Lines as they go into a comment. The end of a comment in them is taken apart. */
export function commentText(text: string): string {
  return text
    .trim()
    .replaceAll("*/", "* /")
    .replaceAll(/[^\S\n]+$/gm, "");
}

function plainSchema(schema: ForeignSchema): object {
  if (schema["x-kubernetes-int-or-string"]) return { type: ["integer", "string"] };
  if (schema.enum) return enumOf(schema);
  switch (schema.type) {
    case "object":
      return objectOf(schema);
    case "array":
      return { type: "array", items: schema.items ? typeSchema(schema.items) : {} };
    case undefined:
      return {}; // Any value.
    default:
      return { type: schema.type };
  }
}

function enumOf({ enum: values = [], nullable }: ForeignSchema): object {
  return { enum: nullable ? values.filter((value) => value !== null) : values };
}

function objectOf(schema: ForeignSchema): object {
  const { properties = {}, required = [], additionalProperties } = schema;
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  const fields = { ...(embedded && EMBEDDED), ...properties };
  const open = schema["x-kubernetes-preserve-unknown-fields"] === true || embedded;
  const rest =
    typeof additionalProperties === "object"
      ? typeSchema(additionalProperties)
      : additionalProperties;
  return {
    type: "object",
    // fromEntries: a field may be called "__proto__".
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, typeSchema(field)]),
    ),
    required: [...new Set([...required, ...(embedded ? ["apiVersion", "kind"] : [])])],
    additionalProperties: open || (rest ?? false),
  };
}

/** What each whole object of Kubernetes has. */
const EMBEDDED: Readonly<Record<string, ForeignSchema>> = {
  apiVersion: { type: "string" },
  kind: { type: "string" },
  metadata: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
};
