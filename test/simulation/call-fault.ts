import type { KubeRequest, KubeResponse } from "../../shared/kube/wire.ts";
import { targetOf } from "../../shared/testing/request-target.ts";

/** What befalls a call to the API server. */
export interface CallFault {
  readonly of: "read" | "write" | "watch";
  /** "after": the server has done it, and its answer is lost. */
  readonly when: "before" | "after";
  /** A status, a connection that breaks, or no answer at all. */
  readonly answer: number | "lost" | "never";
}

const REASONS: Readonly<Record<number, string>> = {
  409: "Conflict",
  410: "Expired",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
};

/** The answer of an API server that refuses the call, and has changed nothing. */
export function refusal(code: number, request: KubeRequest): KubeResponse {
  const { plural = "", key } = targetOf(request) ?? {};
  const body = {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    reason: REASONS[code] ?? "",
    message: `${request.method} ${plural} ${key?.name ?? ""}: the simulation asked for this answer`,
    details: { kind: plural, ...(key && key.name !== "" && { name: key.name }) },
    code,
  };
  const wait: Record<string, string> = code === 429 || code === 503 ? { "retry-after": "1" } : {};
  return { status: code, headers: { "content-type": "application/json", ...wait }, body };
}
