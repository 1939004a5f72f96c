import type { Clock } from "../../shared/clock.ts";
import type { ApiObject } from "./api-object.ts";
import type { Format } from "./list-format.ts";
import { type ListScope, selectorOf } from "./list-objects.ts";
import type { ListOptions } from "./list-options.ts";
import { DEFINITIONS } from "./live-catalog.ts";
import { storageOf } from "./object-store.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ObjectStore, StoreEvent } from "./store.ts";
import { watchChange } from "./watch-change.ts";
import { errorLine, WatchLines } from "./watch-line.ts";
import { type WatchStart, watchStart } from "./watch-start.ts";

export interface WatchRequest {
  readonly store: ObjectStore;
  readonly scope: ListScope;
  readonly options: ListOptions;
  readonly format: Format;
  readonly clock: Clock;
  /** For the time after which a watch ends that set none. */
  readonly random: () => number;
  /** The client has gone. */
  readonly signal?: AbortSignal;
  /** The server shuts down: the stream ends cleanly. */
  readonly closing?: AbortSignal;
  /** Default WATCH_BUFFER. */
  readonly buffer?: number;
}

/** Events that may wait for a slow reader before its watch is ended. */
const WATCH_BUFFER = 10_000;

/** The API server ends watches that set no time after this to twice this (--min-request-timeout). */
const MIN_TIMEOUT_MS = 1_800_000;

const BOOKMARK_MS = 60_000;

/** Before the end of a watch one more bookmark is sent, so that the next one starts from there. */
const LAST_BOOKMARK_MS = 2_000;

/**
 * Opens a watch: lines of JSON, each a watch event without the line end. Throws an ApiError where
 * the answer is an error instead of a stream; faults that the API server reports in the stream come
 * as an ERROR event. To be iterated once; ending the iteration early, or `signal`, closes it.
 *
 * W1. Events come in the order of their versions, each once, none is left out.
 * W2. A bookmark of a version comes after all events up to that version.
 * W3. A reader that falls behind by more than `buffer` events is sent those, and then its watch ends.
 * W4. A watch of custom resources ends after the last event when their definition is gone.
 */
export function openWatch(request: WatchRequest): AsyncIterableIterator<string> {
  const { store, scope, options } = request;
  return new WatchStream(request, watchStart(store, scope, options));
}

type Waiting = { readonly event: StoreEvent } | { readonly bookmark: number };

class WatchStream implements AsyncIterableIterator<string> {
  readonly #request: WatchRequest;
  readonly #start: WatchStart;
  readonly #lines: WatchLines;
  readonly #selects: (object: ApiObject) => boolean;
  readonly #buffer: number;
  readonly #unsubscribe: () => void;
  readonly #unsubscribeEnd: () => void;
  /** Ends the timers. */
  readonly #ended = new AbortController();
  readonly #waiting: Waiting[];
  #next = 0;
  #presentSent = 0;
  #initialSent = false;
  #closed = false;
  /** No more is taken in; what waits is still sent. */
  #full = false;
  #wake = () => {};

  constructor(request: WatchRequest, start: WatchStart) {
    const { store, scope, options, format, clock, buffer = WATCH_BUFFER } = request;
    this.#request = request;
    this.#start = start;
    this.#lines = new WatchLines(scope.resource, format, clock.nowMs);
    this.#selects = selectorOf(scope, options);
    this.#buffer = buffer;
    this.#waiting = start.past.map((event) => ({ event }));
    this.#unsubscribe = store.subscribe(storageOf(scope.resource), this.#take);
    this.#unsubscribeEnd = onceUndefined(store, scope.resource, this.#finish);
    for (const signal of [request.signal, request.closing]) this.#closeOn(signal);
    if (!this.#closed && !start.error) this.#startTimers();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string>> {
    for (;;) {
      const line = this.#closed ? undefined : this.#line();
      if (line !== undefined) return { done: false, value: line };
      if (this.#full) this.#close();
      if (this.#closed) return { done: true, value: undefined };
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }

  async return(): Promise<IteratorResult<string>> {
    this.#close();
    return { done: true, value: undefined };
  }

  /** The next line to send, if there is one. */
  #line(): string | undefined {
    const { present, initialVersion, error } = this.#start;
    if (error) {
      this.#close();
      return errorLine(error);
    }
    while (this.#presentSent < present.length) {
      const object = present[this.#presentSent];
      this.#presentSent += 1;
      if (object && this.#selects(object)) return this.#lines.line("ADDED", this.#view(object));
    }
    if (!this.#initialSent) {
      this.#initialSent = true;
      const marked = this.#request.options.allowWatchBookmarks && initialVersion !== undefined;
      if (marked) return this.#lines.bookmark(initialVersion, { initial: true });
    }
    return this.#waitingLine();
  }

  #waitingLine(): string | undefined {
    for (let next = this.#shift(); next; next = this.#shift()) {
      if ("bookmark" in next) return this.#lines.bookmark(next.bookmark, { initial: false });
      const change = watchChange(next.event, this.#selects);
      if (change) return this.#lines.line(change.type, this.#view(change.object));
    }
    return undefined;
  }

  #shift(): Waiting | undefined {
    const next = this.#waiting[this.#next];
    this.#next += 1;
    if (this.#next < this.#waiting.length) return next;
    this.#waiting.length = 0;
    this.#next = 0;
    return next;
  }

  #view(object: ApiObject): ApiObject {
    const { view } = this.#request.scope;
    return view ? view(object) : object;
  }

  #take = (event: StoreEvent): void => {
    if (this.#full || event.version <= this.#start.after) return; // W1
    if (!watchChange(event, this.#selects)) return;
    this.#put({ event });
  };

  #put(waiting: Waiting): void {
    if (this.#waiting.length - this.#next >= this.#buffer + this.#start.past.length) {
      this.#full = true; // W3
    } else this.#waiting.push(waiting);
    this.#wake();
  }

  /** What waits is still sent. */
  #finish = (): void => {
    this.#full = true;
    this.#wake();
  };

  #closeOn(signal: AbortSignal | undefined): void {
    if (signal?.aborted) this.#close();
    else signal?.addEventListener("abort", this.#close, { signal: this.#ended.signal });
  }

  #close = (): void => {
    this.#closed = true;
    this.#unsubscribe();
    this.#unsubscribeEnd();
    this.#ended.abort();
    this.#waiting.length = 0;
    this.#wake();
  };

  #startTimers(): void {
    const { clock, options, random } = this.#request;
    const { timeoutSeconds = 0, allowWatchBookmarks } = options;
    const timeoutMs =
      timeoutSeconds === 0 ? MIN_TIMEOUT_MS * (1 + random()) : timeoutSeconds * 1_000;
    void clock.sleep(timeoutMs, this.#ended.signal).then(this.#close);
    if (allowWatchBookmarks) void this.#sendBookmarks(clock.monotonicMs() + timeoutMs);
  }

  async #sendBookmarks(endMs: number): Promise<void> {
    const { clock, store } = this.#request;
    const lastMs = endMs - LAST_BOOKMARK_MS;
    for (let nowMs = clock.monotonicMs(); nowMs < lastMs; nowMs = clock.monotonicMs()) {
      await clock.sleep(Math.min(BOOKMARK_MS, lastMs - nowMs), this.#ended.signal);
      if (this.#closed || this.#full) return;
      const version = Math.max(store.version, this.#start.after); // W2
      this.#put({ bookmark: version });
    }
  }
}

/** Calls `end` once the definition of custom resources is gone. */
function onceUndefined(store: ObjectStore, resource: ServedResource, end: () => void): () => void {
  if (!resource.custom) return () => {};
  const name = `${resource.plural}.${resource.group}`;
  return store.subscribe(DEFINITIONS, ({ type, object }) => {
    if (type === "DELETED" && object.metadata.name === name) end(); // W4
  });
}
