import { ApiError } from "./api-error.ts";
import type { ApiAnswer } from "./api-request.ts";

export const JSON_TYPE = "application/json";

/** An answer with a JSON body. */
export function jsonAnswer(
  status: number,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
): ApiAnswer {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { status, headers: { "content-type": JSON_TYPE, ...headers }, body: text };
}

/** The answer that says what went wrong. An error that is none of the API's is a 500, without its stack. */
export function errorAnswer(error: unknown): ApiAnswer {
  const known = error instanceof ApiError ? error : unforeseen(error);
  const { code, reason, message, details, headers, metadata } = known;
  return jsonAnswer(
    code,
    {
      kind: "Status",
      apiVersion: "v1",
      metadata,
      status: "Failure",
      message,
      ...(reason !== "" && { reason }),
      ...(details && { details }),
      code,
    },
    headers,
  );
}

function unforeseen(error: unknown): ApiError {
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError({
    code: 500,
    reason: "InternalError",
    message: `Internal error occurred: ${message}`,
  });
}

/** The Status that a DELETE answers where the object is gone. */
export function deletedStatus(
  { group, plural }: { readonly group: string; readonly plural: string },
  { name, uid }: { readonly name: string; readonly uid: string },
): object {
  const details = { name, ...(group !== "" && { group }), kind: plural, uid };
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}
