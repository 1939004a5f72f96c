import type { ApiError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { expired, tooLargeVersion } from "./list-error.ts";
import type { ListScope } from "./list-objects.ts";
import type { ListOptions } from "./list-options.ts";
import { plainVersion } from "./list-version.ts";
import { storageOf } from "./object-store.ts";
import type { ObjectStore, StoreEvent } from "./store.ts";

/** Where a watch begins. */
export interface WatchStart {
  /** Sent as ADDED before all else. */
  readonly present: readonly ApiObject[];
  /** The version up to which all is told by `present`; told to clients that take bookmarks. */
  readonly initialVersion?: number;
  /** Written already, after the version that was asked for. */
  readonly past: readonly StoreEvent[];
  /** Writes up to this version are not told any more. */
  readonly after: number;
  /** Sent as the only event. */
  readonly error?: ApiError;
}

/**
 * Finds the beginning of a watch. Throws an ApiError (500, as the API server does) where the version
 * is no number; all other faults are told in the stream.
 */
export function watchStart(
  store: ObjectStore,
  { resource, namespace }: ListScope,
  options: ListOptions,
): WatchStart {
  const { resourceVersion, sendInitialEvents } = options;
  const asked = plainVersion(resourceVersion);
  const now = store.version;
  const key = storageOf(resource);
  if (sendInitialEvents) {
    if (asked > now) return failed(tooLargeVersion(asked, now));
    return { present: store.list(key, namespace), initialVersion: now, past: [], after: now };
  }
  if (asked === 0 || asked > now) return { present: [], past: [], after: Math.max(asked, now) };
  const past = store.since(key, asked);
  if (past) return { present: [], past, after: now };
  return failed(expired(`too old resource version: ${asked} (${store.oldest(key)})`));
}

function failed(error: ApiError): WatchStart {
  return { present: [], past: [], after: 0, error };
}
