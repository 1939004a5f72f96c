import type { FieldError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { defaultBuiltIn } from "./built-in-defaults.ts";
import { validateBuiltIn } from "./built-in-validation.ts";
import { badRequest, invalid } from "./registry-errors.ts";
import { withDefaults } from "./schema-defaults.ts";
import { prune, unknownFields } from "./schema-prune.ts";
import { validateValue } from "./schema-validate.ts";
import type { ServedResource } from "./served-resource.ts";
import type { WriteOptions } from "./write-options.ts";

/** Where warnings of one request go: each becomes a header. */
export type Warn = (text: string) => void;

/**
 * An object as it is decoded: without fields that the schema does not know. What is dropped is
 * refused, told, or passed over in silence, as `fieldValidation` says. Throws ApiError 400.
 */
export function decoded(
  resource: ServedResource,
  object: ApiObject,
  { fieldValidation }: Pick<WriteOptions, "fieldValidation">,
  warn: Warn,
): ApiObject {
  if (fieldValidation !== "Ignore") {
    const faults = unknownFields(resource.schema, object).map(
      (field) => `unknown field ${JSON.stringify(field)}`,
    );
    if (fieldValidation === "Strict" && faults.length > 0) {
      const { kind, custom } = resource;
      const where = custom
        ? ""
        : `${kind} in version "${resource.version}" cannot be handled as a ${kind}: `;
      throw badRequest(`${where}strict decoding error: ${faults.join(", ")}`);
    }
    for (const fault of faults) warn(fault);
  }
  return prune(resource.schema, object);
}

/** The object with the defaults of its kind. */
export function defaulted(resource: ServedResource, object: ApiObject): ApiObject {
  return resource.custom ? withDefaults(resource.schema, object) : defaultBuiltIn(resource, object);
}

/** Throws ApiError 422 with all faults of the object; `more` are those that its registry found. */
export function checkObject(
  resource: ServedResource,
  object: ApiObject,
  before: ApiObject | undefined,
  more: readonly FieldError[] = [],
): void {
  const faults = resource.custom
    ? validateValue(resource.schema, object, "", before)
    : validateBuiltIn(resource, object);
  const all = [...more, ...faults];
  if (all.length > 0) throw invalid(resource, object.metadata.name, all);
}
