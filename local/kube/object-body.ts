import type { ApiMeta, ApiObject } from "./api-object.ts";
import { isMap, type Json } from "./fields-value.ts";
import { badRequest, invalid } from "./registry-errors.ts";
import type { ServedResource } from "./served-resource.ts";

/** The JSON object of a body, as one that the resource takes. Throws ApiError 400 where it is none. */
export function objectOfBody(body: string, resource: ServedResource): ApiObject {
  const parsed = parsedBody(body, resource);
  return identified(parsed, resource);
}

function parsedBody(body: string, { kind }: ServedResource): Json {
  const unrecognized = (why: string) =>
    badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; ${why}`,
    );
  const shown = body === "" ? "<empty>" : body.slice(0, 100);
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw unrecognized(`json parse error: unexpected end of JSON input (${shown})`);
  }
  if (!isMap(parsed)) throw unrecognized(`json parse error: expected an object (${shown})`);
  return parsed;
}

/** Fills in apiVersion and kind where they are absent, and refuses others. */
export function identified(object: Json, resource: ServedResource): ApiObject {
  const { group, version, kind, custom } = resource;
  const expected = group === "" ? version : `${group}/${version}`;
  const { apiVersion = expected, kind: ofKind = kind } = object;
  if (custom && apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${String(apiVersion)}) does not match the expected API version (${expected})`,
    );
  }
  if (custom && ofKind !== kind) {
    const message = `Invalid value: ${JSON.stringify(ofKind)}: must be ${kind}`;
    const fault = { reason: "FieldValueInvalid", message, field: "kind" };
    throw invalid(resource, nameIn(object), [fault], String(ofKind));
  }
  if (!custom && (apiVersion !== expected || ofKind !== kind)) {
    throw badRequest(
      `${String(ofKind)} in version "${String(apiVersion).split("/").pop()}" cannot be handled as a ${kind}: no kind "${String(ofKind)}" is registered for version "${String(apiVersion)}" in scheme "pkg/api/legacyscheme/scheme.go:30"`,
    );
  }
  const metadata = (isMap(object["metadata"]) ? object["metadata"] : {}) as unknown as ApiMeta;
  return { ...object, apiVersion: expected, kind, metadata };
}

function nameIn({ metadata }: Json): string {
  return isMap(metadata) ? String(metadata["name"] ?? "") : "";
}
