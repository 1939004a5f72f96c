import { ApiError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { decodeFault } from "./built-in-decoding.ts";
import { builtInResources } from "./built-in-resources.ts";
import type { Json } from "./fields-value.ts";
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

/**
 * Refuses a patched object that says that it is of another kind or version, as the API server does:
 * it reads it as what it says. Throws ApiError 422.
 */
export function checkPatchedKind(resource: ServedResource, patched: Json): void {
  const apiVersion = versionOf(resource);
  const { kind, apiVersion: version } = patched;
  if (kind === resource.kind && version === apiVersion) return;
  if (resource.custom) throw otherCustom(resource, patched, apiVersion);
  const other = builtInResources().find(
    (each) => each.kind === kind && versionOf(each) === version,
  );
  const unknown = `no kind ${goText(kind)} is registered for version ${goText(version)} in scheme "pkg/api/legacyscheme/scheme.go:30"`;
  if (!other) throw invalidPatch(unknown, patched);
  // A copy: what is frozen was read before, but not as that other kind.
  const fault = decodeFault(other, structuredClone(patched));
  throw invalidPatch(
    fault ??
      `converting (${other.version}.${other.kind}) to (${resource.kind}): unknown conversion`,
    patched,
  );
}

function otherCustom(resource: ServedResource, patched: Json, apiVersion: string): ApiError {
  const { kind, apiVersion: version, metadata } = patched;
  const { name: given } = (metadata ?? {}) as { readonly name?: unknown };
  const name = typeof given === "string" ? given : "";
  if (kind !== resource.kind) {
    const message = `Invalid value: ${goText(kind)}: must be ${resource.kind}`;
    const cause = { reason: "FieldValueInvalid", message, field: "kind" };
    return invalid(resource, name, [cause], String(kind));
  }
  const message = `Invalid value: ${goText(version)}: must be ${apiVersion}`;
  return invalid(resource, name, [{ reason: "FieldValueInvalid", message, field: "apiVersion" }]);
}

function versionOf({ group, version }: ServedResource): string {
  return group === "" ? version : `${group}/${version}`;
}

function goText(value: unknown): string {
  return JSON.stringify(value ?? "");
}
