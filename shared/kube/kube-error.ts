import { retryAfterSecondsOf } from "./retry-after.ts";
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

export interface KubeErrorOptions {
  /** What to do about it; comes last in the message. */
  readonly advice?: string;
  /** The server's words about invalid content are left out, as they may quote it. For Secrets. */
  readonly confidential?: boolean;
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

  constructor(action: string, response: KubeResponse, options: KubeErrorOptions = {}) {
    const { status, headers } = response;
    const body = statusBodyOf(response.body);
    const quiet = options.confidential === true && QUOTING.has(status);
    const reason = body.reason ? ` ${body.reason}` : "";
    const text = quiet ? confidentialText(body) : textOf(response);
    const advice = options.advice ? `; ${options.advice}` : "";
    super(`cannot ${action}: the API server answered ${status}${reason}: ${text}${advice}`);
    this.action = action;
    this.status = status;
    this.reason = body.reason ?? "";
    this.details = quiet ? withoutMessages(body.details) : (body.details ?? {});
    const seconds = retryAfterSecondsOf(headers) ?? body.details?.retryAfterSeconds;
    if (seconds !== undefined) this.retryAfterSeconds = seconds;
  }
}

/** 409: somebody changed the object since it was read, or it exists already. */
export class ConflictError extends KubeError {
  override readonly name = "ConflictError";
}

/** The error of an answer that is not a success. */
export function kubeErrorOf(
  action: string,
  response: KubeResponse,
  options?: KubeErrorOptions,
): KubeError {
  return response.status === 409
    ? new ConflictError(action, response, options)
    : new KubeError(action, response, options);
}

/** Whether a 404 says that the object is absent. A 404 of the kind (not served, CRD missing) is another matter. */
export function namesObject({ status, body }: Pick<KubeResponse, "status" | "body">): boolean {
  const { details, reason } = statusBodyOf(body);
  return (
    status === 404 && reason === "NotFound" && details?.name !== undefined && details.name !== ""
  );
}

/** Statuses whose text may quote what was sent: bad request, invalid, and 500 of a failed apply. */
const QUOTING: ReadonlySet<number> = new Set([400, 422, 500]);

/** Of an answer that is no Status, such as "404 page not found" or a proxy's page. */
const FOREIGN_TEXT_LIMIT = 120;

function textOf({ headers, body }: KubeResponse): string {
  const { message } = statusBodyOf(body);
  if (message) return message;
  if (typeof body !== "string" || !headers["content-type"]?.startsWith("text/plain")) {
    return "no message";
  }
  const line = body.trim().split("\n")[0] ?? "";
  return line === "" ? "no message" : line.slice(0, FOREIGN_TEXT_LIMIT);
}

function confidentialText({ details }: StatusBody): string {
  const fields = (details?.causes ?? []).flatMap(({ field }) => field ?? []);
  const where = fields.length === 0 ? "" : ` about ${fields.join(", ")}`;
  return `its message${where} is left out, for it may quote the object`;
}

function withoutMessages(details: StatusBody["details"] = {}): NonNullable<StatusBody["details"]> {
  if (!details.causes) return details;
  return { ...details, causes: details.causes.map(({ reason, field }) => ({ reason, field })) };
}

function statusBodyOf(body: unknown): StatusBody {
  return body !== null && typeof body === "object" ? (body as StatusBody) : {};
}
