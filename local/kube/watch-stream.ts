import type { Clock } from "../../shared/clock.ts";
import type { Format } from "./list-format.ts";
import type { ListScope } from "./list-objects.ts";
import type { ListOptions } from "./list-options.ts";
import type { ObjectStore } from "./store.ts";

export interface WatchRequest {
  readonly store: ObjectStore;
  readonly scope: ListScope;
  readonly options: ListOptions;
  readonly format: Format;
  readonly clock: Clock;
  /** For the default timeout and the moments of bookmarks. */
  readonly random: () => number;
  /** The client has gone. */
  readonly signal?: AbortSignal;
  /** The server shuts down: the stream ends cleanly. */
  readonly closing?: AbortSignal;
  /** Default WATCH_BUFFER. */
  readonly buffer?: number;
}

/** Events that may wait for a slow reader before its watch is ended. */
export const WATCH_BUFFER = 1_000;

/**
 * Opens a watch: lines of JSON, each a watch event without the line end. Throws an ApiError where
 * the answer is an error instead of a stream; faults that the API server reports in the stream come
 * as an ERROR event. To be iterated once; ending the iteration early closes the watch.
 */
export function openWatch(_request: WatchRequest): AsyncIterable<string> {
  throw new Error("not yet");
}
