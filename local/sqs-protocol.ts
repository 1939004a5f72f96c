import type { SqsCore } from "./sqs-core.ts";
import { SqsError } from "./sqs-error.ts";
import type { SqsCall } from "./sqs-service.ts";

/** The media type of the protocol. https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html */
const JSON_1_0 = "application/x-amz-json-1.0";
const TARGET = "AmazonSQS.";

/** A request of the AWS JSON 1.0 protocol, as far as it matters. Names of headers are in small letters. */
export interface SqsRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface SqsResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Resolves to the answer of a request, errors included. Never rejects. */
export async function respond(
  core: SqsCore,
  { headers, body }: SqsRequest,
  call: SqsCall,
): Promise<SqsResponse> {
  const trace = headers["x-amzn-trace-id"];
  const traceHeader = typeof trace === "string" ? trace : undefined;
  try {
    const action = actionOf(headers["x-amz-target"]);
    const answer = await core.call(action, parsed(body), { ...call, traceHeader });
    return response(core, { status: 200, body: JSON.stringify(answer) });
  } catch (error) {
    return errorResponse(core, error);
  }
}

/** The answer to a request that failed. */
export function errorResponse(core: SqsCore, error: unknown): SqsResponse {
  const known =
    error instanceof SqsError
      ? error
      : new SqsError("InternalFailure", String(error), { cause: error });
  const { type: __type, message, status, queryCode, senderFault } = known;
  const answer = response(core, { status, body: JSON.stringify({ __type, message }) });
  const queryError = `${queryCode};${senderFault ? "Sender" : "Receiver"}`;
  return { ...answer, headers: { ...answer.headers, "x-amzn-query-error": queryError } };
}

function response(
  core: SqsCore,
  { status, body }: { readonly status: number; readonly body: string },
): SqsResponse {
  const headers = {
    "content-type": JSON_1_0,
    "x-amzn-requestid": core.newId(),
    // Clients correct their clocks by it, so it must follow the server's.
    date: new Date(core.clock.nowMs()).toUTCString(),
  };
  return { status, headers, body };
}

function actionOf(target: string | string[] | undefined): string {
  if (typeof target === "string" && target.startsWith(TARGET)) return target.slice(TARGET.length);
  throw new SqsError(
    "UnknownOperationException",
    `expected a header X-Amz-Target: ${TARGET}<action> (the JSON protocol), got ${String(target ?? "none")}`,
  );
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body || "{}");
  } catch (cause) {
    throw new SqsError("SerializationException", `reading the request: ${String(cause)}`, {
      cause,
    });
  }
}
