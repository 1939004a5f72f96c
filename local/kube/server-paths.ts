import type { Clock } from "../../shared/clock.ts";
import type { ApiAnswer, ApiRequest } from "./api-request.ts";
import { jsonAnswer } from "./api-status.ts";
import { KUBERNETES_VERSION } from "./built-in-resources.ts";
import { timeText } from "./metadata-rules.ts";

/** Answers paths that are no resources: version, health, reviews of access. */
export function serverPaths({
  clock,
}: {
  readonly clock: Clock;
}): (request: ApiRequest) => ApiAnswer | undefined {
  return ({ method, path, body }) => {
    if (method === "POST") return reviewAt(path, body, clock);
    if (method !== "GET") return undefined;
    if (path === "/version" || path === "/version/") return jsonAnswer(200, version());
    if (["/healthz", "/livez", "/readyz"].includes(path)) {
      return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body: "ok" };
    }
    return undefined;
  };
}

function version(): object {
  const [major = "1", minor = "0"] = KUBERNETES_VERSION.replace(/^v/, "").split(".");
  return { major, minor, gitVersion: `${KUBERNETES_VERSION}+tidegate`, platform: "node" };
}

const AUTHORIZATION = "/apis/authorization.k8s.io/v1/";

/** Whoever has the token is the one user there is, and may do all. */
function reviewAt(path: string, body: string, clock: Clock): ApiAnswer | undefined {
  const metadata = { creationTimestamp: timeText(clock.nowMs()) };
  if (path === "/apis/authentication.k8s.io/v1/selfsubjectreviews") {
    const userInfo = { username: "admin", groups: ["system:masters", "system:authenticated"] };
    return review("authentication.k8s.io/v1", "SelfSubjectReview", {
      metadata,
      status: { userInfo },
    });
  }
  const kind = REVIEWS[path.replace(AUTHORIZATION, "")];
  if (!path.startsWith(AUTHORIZATION) || kind === undefined) return undefined;
  const { spec = {} } = parsed(body);
  const status =
    kind === "SelfSubjectRulesReview"
      ? { resourceRules: [ALL], nonResourceRules: [], incomplete: false }
      : { allowed: true };
  return review("authorization.k8s.io/v1", kind, { metadata: {}, spec, status });
}

const REVIEWS: Readonly<Record<string, string>> = {
  selfsubjectaccessreviews: "SelfSubjectAccessReview",
  subjectaccessreviews: "SubjectAccessReview",
  selfsubjectrulesreviews: "SelfSubjectRulesReview",
};

const ALL = { verbs: ["*"], apiGroups: ["*"], resources: ["*"] };

function review(apiVersion: string, kind: string, rest: object): ApiAnswer {
  return jsonAnswer(201, { kind, apiVersion, ...rest });
}

function parsed(body: string): { readonly spec?: object } {
  try {
    return JSON.parse(body) as { readonly spec?: object };
  } catch {
    return {};
  }
}
