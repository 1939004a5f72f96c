import { builtInResources } from "./built-in-resources.ts";
import type { Json } from "./fields-value.ts";
import { badRequest, invalid } from "./registry-errors.ts";
import type { ServedResource } from "./served-resource.ts";

/** Older versions of kinds, which the API server can still read but does not serve. */
const OLDER: Readonly<Record<string, readonly string[]>> = {
  Deployment: ["apps/v1beta1", "apps/v1beta2", "extensions/v1beta1"],
  ReplicaSet: ["apps/v1beta2", "extensions/v1beta1"],
  DaemonSet: ["apps/v1beta2", "extensions/v1beta1"],
  StatefulSet: ["apps/v1beta1", "apps/v1beta2"],
  Ingress: ["extensions/v1beta1", "networking.k8s.io/v1beta1"],
  NetworkPolicy: ["extensions/v1beta1"],
  CronJob: ["batch/v1beta1"],
};

/** Refuses a body of another kind or version. Throws ApiError 400, or 422 of a custom resource. */
export function checkKindOfBody(value: Json, body: string, resource: ServedResource): void {
  if (resource.custom) checkCustom(value, body, resource);
  else checkBuiltIn(value, resource);
}

const SHOWN_BYTES = 30;

/** The beginning of a body: as it is where it looks like JSON, else in hex. */
export function bodySummary(body: string): string {
  if (body === "") return "<empty>";
  const bytes = Buffer.from(body);
  const encoding = body.startsWith("{") ? "utf8" : "hex";
  const more = bytes.length > SHOWN_BYTES ? " ..." : "";
  return `${bytes.subarray(0, SHOWN_BYTES).toString(encoding)}${more}`;
}

function checkCustom(value: Json, body: string, resource: ServedResource): void {
  const { kind, apiVersion = "", metadata } = value;
  if (typeof kind !== "string" || kind === "") {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): Object 'Kind' is missing in '${body}' (${bodySummary(body)})`,
    );
  }
  const expected = versionOf(resource);
  if (apiVersion !== expected) throw otherVersion(String(apiVersion), expected);
  if (kind === resource.kind) return;
  const message = `Invalid value: ${JSON.stringify(kind)}: must be ${resource.kind}`;
  const fault = { reason: "FieldValueInvalid", message, field: "kind" };
  const { name = "" } = (metadata ?? {}) as { readonly name?: unknown };
  throw invalid(resource, String(name), [fault], kind);
}

/** What a built-in body leaves out is filled in. */
function checkBuiltIn(value: Json, resource: ServedResource): void {
  const expected = versionOf(resource);
  const apiVersion = textOr(value.apiVersion, expected);
  const kind = textOr(value.kind, resource.kind);
  if (apiVersion === expected && kind === resource.kind) return;
  if (kind === resource.kind && OLDER[kind]?.includes(apiVersion)) {
    throw otherVersion(apiVersion, expected);
  }
  const version = apiVersion.split("/").pop() ?? "";
  const why = isKnown(apiVersion, kind)
    ? `converting (${version}.${kind}) to (${packageOf(resource)}.${resource.kind}): unknown conversion`
    : `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/api/legacyscheme/scheme.go:30"`;
  throw badRequest(
    `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${resource.kind}: ${why}`,
  );
}

function isKnown(apiVersion: string, kind: string): boolean {
  if (apiVersion === "v1" && kind === "List") return true;
  return builtInResources().some((each) => each.kind === kind && versionOf(each) === apiVersion);
}

function packageOf({ group }: ServedResource): string {
  return group === "" ? "core" : (group.split(".")[0] ?? group);
}

function versionOf({ group, version }: ServedResource): string {
  return group === "" ? version : `${group}/${version}`;
}

function textOr(value: unknown, other: string): string {
  return typeof value === "string" && value !== "" ? value : other;
}

function otherVersion(got: string, expected: string) {
  return badRequest(
    `the API version in the data (${got}) does not match the expected API version (${expected})`,
  );
}
