import { ApiError, type FieldError } from "./api-error.ts";

export function badRequest(message: string): ApiError {
  return new ApiError({ code: 400, reason: "BadRequest", message });
}

/** 410: what was asked for is forgotten; the client has to list anew. */
export function expired(message: string, metadata = {}): ApiError {
  return new ApiError({ code: 410, reason: "Expired", message, metadata });
}

/** 504: the client has seen a version that this server has not reached. */
export function tooLargeVersion(asked: bigint | number, current: number): ApiError {
  const cause = { reason: "ResourceVersionTooLarge", message: "Too large resource version" };
  return new ApiError({
    code: 504,
    reason: "Timeout",
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: { causes: [cause], retryAfterSeconds: 1 },
    headers: { "retry-after": "1" },
  });
}

/** 422 of the query of a list or watch. */
export function invalidListOptions(faults: readonly FieldError[]): ApiError {
  const texts = faults.map(({ field, message }) => `${field}: ${message}`);
  const text = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: `ListOptions.meta.k8s.io "" is invalid: ${text}`,
    details: { group: "meta.k8s.io", kind: "ListOptions", causes: faults },
  });
}
