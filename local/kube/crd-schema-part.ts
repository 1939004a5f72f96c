import type { Schema } from "./schema.ts";

/** A schema as a user wrote it: also with what structural schemas may not have. */
export interface AnySchema
  extends Omit<
    Schema,
    "type" | "properties" | "items" | "additionalProperties" | "allOf" | "anyOf" | "oneOf" | "not"
  > {
  readonly type?: string;
  readonly title?: string;
  readonly properties?: Readonly<Record<string, AnySchema>>;
  readonly items?: AnySchema;
  readonly additionalProperties?: AnySchema | boolean;
  readonly allOf?: readonly AnySchema[];
  readonly anyOf?: readonly AnySchema[];
  readonly oneOf?: readonly AnySchema[];
  readonly not?: AnySchema;
}

/** Where a schema stands, which decides how the API server words a missing type. */
export type Level = "root" | "item" | "field";

export function isSchema(value: AnySchema | boolean | undefined): value is AnySchema {
  return typeof value === "object" && value !== null;
}
