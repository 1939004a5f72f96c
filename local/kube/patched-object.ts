import { ApiError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { invalid } from "./registry-errors.ts";
import type { ServedResource } from "./served-resource.ts";

/** Refuses a patched object that is not as it should be: 422, with the object or `shown` in the text. */
export function invalidPatch(fault: string, patched: object, shown?: string): ApiError {
  const value = JSON.stringify(shown ?? JSON.stringify(patched));
  const message = `Invalid value: ${value}: ${fault}`;
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: ` "" is invalid: patch: ${message}`,
    details: { causes: [{ reason: "FieldValueInvalid", message, field: "patch" }] },
  });
}

/** Refuses a patch or an apply that gives an object another uid. Throws ApiError 422. */
export function checkSameUid(
  resource: ServedResource,
  uid: string | undefined,
  { metadata }: ApiObject,
): void {
  if (uid === undefined || uid === "" || uid === metadata.uid) return;
  const message = `Invalid value: ${JSON.stringify(uid)}: field is immutable`;
  const cause = { reason: "FieldValueInvalid", message, field: "metadata.uid" };
  throw invalid(resource, metadata.name, [cause]);
}
