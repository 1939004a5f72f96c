import type { Clock } from "../../shared/clock.ts";
import { ApiError } from "./api-error.ts";
import type { ApiAnswer } from "./api-request.ts";
import { jsonAnswer } from "./api-status.ts";
import { timeText } from "./metadata-rules.ts";
import { badRequest } from "./registry-errors.ts";

/** Answers the body of a review. */
export type Review = (body: string, clock: Clock) => ApiAnswer;

/** The kinds of the reviews that are served, by group and resource. */
export const REVIEWS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "authentication.k8s.io": { selfsubjectreviews: "SelfSubjectReview" },
  "authorization.k8s.io": {
    selfsubjectaccessreviews: "SelfSubjectAccessReview",
    subjectaccessreviews: "SubjectAccessReview",
    selfsubjectrulesreviews: "SelfSubjectRulesReview",
  },
};

/** What answers a review at that path, if there is one. Whoever has the token may do all. */
export function reviewAt(path: string): Review | undefined {
  const [, group = "", resource = ""] = /^\/apis\/([^/]+)\/v1\/([^/]+)$/.exec(path) ?? [];
  const kind = REVIEWS[group]?.[resource];
  if (kind === undefined) return undefined;
  const apiVersion = `${group}/v1`;
  return (body, clock) => {
    const { spec } = parsed(body, { apiVersion, kind });
    return jsonAnswer(201, { kind, apiVersion, ...answered(kind, spec, clock) });
  };
}

const ALL = { verbs: ["*"], apiGroups: ["*"], resources: ["*"] };

function answered(kind: string, spec: ReviewSpec = {}, clock: Clock): object {
  if (kind === "SelfSubjectReview") {
    const metadata = { creationTimestamp: timeText(clock.nowMs()) };
    const userInfo = { username: "admin", groups: ["system:masters", "system:authenticated"] };
    return { metadata, status: { userInfo } };
  }
  if (kind === "SelfSubjectRulesReview") {
    const status = { resourceRules: [ALL], nonResourceRules: [], incomplete: false };
    return { metadata: {}, spec, status };
  }
  if (!spec.resourceAttributes === !spec.nonResourceAttributes) throw ambiguous();
  return { metadata: {}, spec, status: { allowed: true } };
}

interface ReviewSpec {
  readonly resourceAttributes?: object;
  readonly nonResourceAttributes?: object;
}

/** With the names that the API server leaves out here. */
function ambiguous(): ApiError {
  const message =
    "Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified";
  const group = "authorization.k8s.io";
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: `.${group} "" is invalid: spec: ${message}`,
    details: { group, causes: [{ reason: "FieldValueInvalid", message, field: "spec" }] },
  });
}

function parsed(
  body: string,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): { readonly spec?: ReviewSpec } {
  const read = readJson(body);
  if ((read.kind ?? kind) === kind) return read;
  const [, version = ""] = apiVersion.split("/");
  throw badRequest(
    `${read.kind} in version "${version}" cannot be handled as a ${kind}: no kind "${read.kind}" is registered for version "${apiVersion}" in scheme "pkg/api/legacyscheme/scheme.go:30"`,
  );
}

/** What a protobuf body starts with. https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding */
const PROTOBUF = "k8s\0";

function readJson(body: string): { readonly kind?: string; readonly spec?: ReviewSpec } {
  // kubectl auth sends it. All is allowed, whatever it asks for.
  if (body.startsWith(PROTOBUF)) return { spec: { resourceAttributes: {} } };
  try {
    return JSON.parse(body) as { readonly kind?: string };
  } catch (error) {
    throw badRequest(`the body of the review is no JSON: ${(error as Error).message}`);
  }
}
