import type { Result } from "../api/result.ts";

/** A year: longer than any certificate or token is waited for, and far from overflowing a date. */
const MAX_REQUEUE_SECONDS = 365 * 86_400;

/**
 * The result that a reconciler returned, once it is known to be one. Throws where it is not: code
 * without types can return anything, and a misspelt `requeueAfter` would be a retry that never comes.
 */
export function checkResult(answer: unknown, from: "reconcile" | "finalize"): Result {
  if (answer === undefined || answer === null) return {};
  const fail = (expected: string, got: unknown): never => {
    throw new Error(
      `cannot take the result of ${from}: expected ${expected}, got ${show(got)}; return nothing or { status, requeueAfterSeconds }`,
    );
  };
  if (!plain(answer)) return fail("an object or nothing", answer);
  for (const field of Object.keys(answer)) {
    if (field !== "status" && field !== "requeueAfterSeconds") {
      fail("no other fields than status and requeueAfterSeconds", field);
    }
  }
  const { status, requeueAfterSeconds } = answer;
  if (status !== undefined && !plain(status)) fail("status to be an object", status);
  const fault = jsonFault(status);
  if (fault !== undefined) {
    throw new Error(
      `cannot take the result of ${from}: expected status to be JSON, got "${fault}"; return strings, numbers, lists and objects without a circle`,
    );
  }
  if (requeueAfterSeconds !== undefined && !delay(requeueAfterSeconds)) {
    fail(
      `requeueAfterSeconds to be a number from 0 to ${MAX_REQUEUE_SECONDS}`,
      requeueAfterSeconds,
    );
  }
  return answer as Result;
}

/** Why a value cannot be written as JSON, in JavaScript's words, of which the first line tells enough. */
function jsonFault(value: unknown): string | undefined {
  try {
    JSON.stringify(value);
    return undefined;
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split("\n")[0];
  }
}

function delay(value: unknown): boolean {
  // NaN and Infinity fail both comparisons or the second.
  return typeof value === "number" && value >= 0 && value <= MAX_REQUEUE_SECONDS;
}

function plain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  return typeof value === "function" ? "a function" : (JSON.stringify(value) ?? typeof value);
}
