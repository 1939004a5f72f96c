import { ApiError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { decodeFault } from "./built-in-decoding.ts";
import { invalid } from "./registry-errors.ts";
import type { ServedResource } from "./served-resource.ts";

/** Refuses what a patch made of an object where it is none of its kind, or another one. Throws ApiError 422. */
export function checkPatched(
  resource: ServedResource,
  patched: ApiObject,
  { metadata }: ApiObject,
): void {
  const fault = decodeFault(resource, patched);
  if (fault !== undefined) throw invalidPatch(patched, fault);
  const { uid } = patched.metadata;
  if (uid === undefined || uid === "" || uid === metadata.uid) return;
  const message = `Invalid value: ${JSON.stringify(uid)}: field is immutable`;
  const cause = { reason: "FieldValueInvalid", message, field: "metadata.uid" };
  throw invalid(resource, metadata.name, [cause]);
}

function invalidPatch(patched: ApiObject, fault: string): ApiError {
  const message = `Invalid value: ${JSON.stringify(JSON.stringify(patched))}: ${fault}`;
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: ` "" is invalid: patch: ${message}`,
    details: { causes: [{ reason: "FieldValueInvalid", message, field: "patch" }] },
  });
}
