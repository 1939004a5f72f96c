import { ApiError } from "./api-error.ts";
import { badRequest, tooLargeVersion } from "./list-error.ts";
import type { ObjectStore } from "./store.ts";

/** The version of a list's query. Throws an ApiError 400 where it is no number. */
export function listVersion(resourceVersion: string): bigint {
  const fault = faultOf(resourceVersion);
  if (fault === undefined) return BigInt(resourceVersion);
  throw badRequest(`invalid resource version: ${fault}`);
}

/**
 * The version of a watch's or a get's query; 0 where it is unset. Throws an ApiError where it is no
 * number: 500, as the API server does.
 */
export function plainVersion(resourceVersion: string): number {
  if (resourceVersion === "") return 0;
  const fault = faultOf(resourceVersion);
  if (fault === undefined) return Number(resourceVersion);
  throw new ApiError({ code: 500, reason: "", message: fault });
}

/** For a get with `resourceVersion`: throws an ApiError 504 where the store has not reached it. */
export function requireReached(store: ObjectStore, resourceVersion: string): void {
  const asked = plainVersion(resourceVersion);
  if (asked > store.version) throw tooLargeVersion(asked, store.version);
}

const MAX_UINT64 = 2n ** 64n - 1n;

function faultOf(resourceVersion: string): string | undefined {
  const number = /^\d+$/.test(resourceVersion);
  if (number && BigInt(resourceVersion) <= MAX_UINT64) return undefined;
  const why = number ? "value out of range" : "invalid syntax";
  const shown = JSON.stringify(resourceVersion);
  return `resourceVersion: Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: ${why}`;
}
