import type { FieldError } from "./api-error.ts";
import type { AnySchema } from "./crd-schema-part.ts";
import type { Schema } from "./schema.ts";
import { invalid } from "./schema-errors.ts";
import { unknownPartFields } from "./schema-prune.ts";
import { validateValue } from "./schema-validate.ts";

/** Defaults must be valid by their own schema, and have no fields that it does not know. */
export function defaultFaults(schema: AnySchema, path: string): FieldError[] {
  const { default: value, items, properties = {} } = schema;
  const faults: FieldError[] = [];
  if (value !== undefined && value !== null) {
    const field = `${path}.default`;
    if (unknownPartFields(schema as Schema, value).length > 0) {
      faults.push(invalid(field, value, "must not have unknown fields"));
    }
    const found = validateValue(schema as Schema, value, field);
    faults.push(...found.filter(({ reason }) => reason !== "FieldValueDuplicate"));
  }
  if (items) faults.push(...defaultFaults(items, `${path}.items`));
  for (const [key, property] of Object.entries(properties)) {
    faults.push(...defaultFaults(property, `${path}.properties[${key}]`));
  }
  return faults;
}
