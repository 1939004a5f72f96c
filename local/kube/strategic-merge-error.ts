import { ApiError } from "./api-error.ts";
import { goText, goType } from "./fields-text.ts";

export const BAD_PRIMITIVE_LIST = "invalid patch format of primitive list";
export const BAD_RETAIN_KEYS = "invalid patch format of retainKeys";

export function badRequest(message: string): ApiError {
  return new ApiError({ code: 400, reason: "BadRequest", message });
}

/** The server gives no reason with these. */
export function internalError(message: string): ApiError {
  return new ApiError({ code: 500, reason: "", message });
}

export function listOfLists(): ApiError {
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: "the server rejected our request due to an error in our request",
    details: {},
  });
}

export function typeMismatch(expected: unknown, got: unknown): ApiError {
  return internalError(`expected a ${goType(expected)}, but received a ${goType(got)}`);
}

export function noMergeKey(item: unknown, mergeKey: string): ApiError {
  return internalError(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
}
