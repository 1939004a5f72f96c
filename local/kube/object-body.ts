import { ApiError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import type { BodyText } from "./body-faults.ts";
import { bodySummary, checkKindOfBody } from "./body-kind.ts";
import { isMap, type Json } from "./fields-value.ts";
import { scanJson } from "./json-scan.ts";
import { badRequest } from "./registry-errors.ts";
import type { ServedResource } from "./served-resource.ts";
import { yamlBodyOf } from "./yaml-body.ts";

/** An object as a body says it, with what only its text tells. Not checked but for its kind. */
export interface ObjectBody {
  readonly object: ApiObject;
  readonly text: BodyText;
}

/** Reads the object of a POST or PUT. Throws ApiError 400, 415, or 422 of another kind. */
export function objectOfBody(
  body: string,
  contentType: string | undefined,
  resource: ServedResource,
): ObjectBody {
  const { value, ...text } = valueIn(body, contentType, resource.kind);
  if (!isMap(value)) {
    if (value !== null || resource.custom) throw noObject(value, body, resource.kind);
    return { object: identified({}, resource), text };
  }
  checkKindOfBody(value, body, resource);
  return { object: identified(value, resource), text };
}

/** The object of an apply, in YAML or JSON. Throws ApiError 400. */
export function appliedObject(body: string): ObjectBody {
  try {
    const { value, faults } = yamlBodyOf(body);
    if (value === null) return { object: {} as ApiObject, text: {} };
    if (isMap(value)) return { object: value as unknown as ApiObject, text: { faults } };
    throw badRequest(
      `error decoding patch: error unmarshaling JSON: while decoding JSON: ${cannotBe(value)} into Go value of type map[string]interface {}`,
    );
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw badRequest(`error decoding patch: error converting YAML to JSON: yaml: ${why}`);
  }
}

/** "json: cannot unmarshal array" */
function cannotBe(value: unknown): string {
  const type = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  return `json: cannot unmarshal ${type}`;
}

/** With apiVersion and kind of its resource, and metadata where it has none. */
export function identified(object: Json, { group, version, kind }: ServedResource): ApiObject {
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const { metadata } = object;
  return { ...object, apiVersion, kind, metadata: metadata ?? {} } as ApiObject;
}

function valueIn(
  body: string,
  contentType: string | undefined,
  kind: string,
): BodyText & { readonly value: unknown } {
  const media = (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  try {
    if (media === "application/yaml") return yamlBodyOf(body);
    if (media !== "" && media !== "application/json") throw unknownMedia(media);
    const fields = scanJson(body);
    return { value: JSON.parse(body) as unknown, fields };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw unrecognized(error instanceof Error ? error.message : String(error), body, kind);
  }
}

function noObject(value: unknown, body: string, kind: string): ApiError {
  const type =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  return unrecognized(`${cannotBe(value)} into Go value of type ${type}`, body, kind);
}

function unrecognized(why: string, body: string, kind: string): ApiError {
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${why} (${bodySummary(body)})`,
  );
}

/** What kubectl's generators send, which the real API server takes. */
const PROTOBUF = "application/vnd.kubernetes.protobuf";
const INSTEAD =
  "; this server does not take protobuf: use kubectl create ... --dry-run=client -o yaml | kubectl apply -f -";

function unknownMedia(media: string): ApiError {
  const known = `application/json, application/yaml${media === PROTOBUF ? "" : `, ${PROTOBUF}`}`;
  const instead = media === PROTOBUF ? INSTEAD : "";
  return new ApiError({
    code: 415,
    reason: "UnsupportedMediaType",
    message: `the body of the request was in an unknown format - accepted media types include: ${known}${instead}`,
  });
}
