import type { KubeResponse } from "./wire.ts";

/** The part of a `Status` body that code branches on. */
export interface StatusBody {
  readonly kind?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly {
      readonly reason?: string;
      readonly field?: string;
      readonly message?: string;
    }[];
  };
}

/** An answer of the API server that is not a success. */
export class KubeError extends Error {
  override readonly name: string = "KubeError";
  readonly status: number;
  /** As in Kubernetes: "NotFound", "Conflict", "Forbidden", "Expired", ... */
  readonly reason: string;
  readonly details: NonNullable<StatusBody["details"]>;
  /** From the Retry-After header or the Status body. */
  readonly retryAfterSeconds?: number;
  /** What was asked: "get Deployment default/web". */
  readonly action: string;

  constructor(action: string, response: KubeResponse) {
    const body = statusBodyOf(response.body);
    super(
      `cannot ${action}: the API server answered ${response.status} ${body.reason ?? ""}: ${body.message ?? "no message"}`,
    );
    this.action = action;
    this.status = response.status;
    this.reason = body.reason ?? "";
    this.details = body.details ?? {};
    const seconds = Number(response.headers["retry-after"] ?? body.details?.retryAfterSeconds);
    if (Number.isFinite(seconds)) this.retryAfterSeconds = seconds;
  }
}

/** 409: somebody changed the object since it was read, or it exists already. */
export class ConflictError extends KubeError {
  override readonly name = "ConflictError";
}

/** The error of an answer that is not a success. */
export function kubeErrorOf(action: string, response: KubeResponse): KubeError {
  return response.status === 409
    ? new ConflictError(action, response)
    : new KubeError(action, response);
}

/** Whether a 404 says that the object is absent. A 404 of the kind (not served, CRD missing) is another matter. */
export function namesObject({ status, body }: Pick<KubeResponse, "status" | "body">): boolean {
  const { details, reason } = statusBodyOf(body);
  return (
    status === 404 && reason === "NotFound" && details?.name !== undefined && details.name !== ""
  );
}

function statusBodyOf(body: unknown): StatusBody {
  return body !== null && typeof body === "object" ? (body as StatusBody) : {};
}
