import { type Clock, OVER } from "../clock.ts";
import type { RequestQueue } from "../queue/request-queue.ts";

/**
 * Groups that end within this time of each other share one call. A message that waits blocks its
 * object's next request so much longer; a call a group would cost as much as the rest of a run.
 */
const LINGER_MS = 100;

/**
 * Deletes the messages of groups that ended while others still run, so that no object waits for the
 * slowest of its batch. What it was told before the answer is given and has not deleted yet is
 * deleted by the answer.
 */
export class Acknowledger {
  readonly #queue: RequestQueue;
  readonly #clock: Clock;
  readonly #waiting = new Set<string>();
  readonly #closed = new AbortController();
  #lingering = false;
  /** Settles once no call is in flight. */
  #flushed: Promise<unknown> = Promise.resolve();

  constructor(queue: RequestQueue, clock: Clock) {
    this.#queue = queue;
    this.#clock = clock;
  }

  /** These messages are done (Q6). */
  add(receiptHandles: readonly string[]): void {
    for (const handle of receiptHandles) this.#waiting.add(handle);
    if (this.#waiting.size > 0 && !this.#lingering) void this.#linger();
  }

  /** Deletes what is waiting. What could not be deleted waits on. */
  async flush(): Promise<void> {
    const handles = [...this.#waiting];
    if (handles.length === 0) return;
    const deleted = await this.#queue.delete(handles);
    handles.forEach((handle, index) => {
      if (deleted[index]) this.#waiting.delete(handle);
    });
  }

  /** The invocation is about to answer: nothing more is sent, and nothing is left in flight. */
  async close(): Promise<void> {
    this.#closed.abort(OVER);
    await this.#flushed;
  }

  async #linger(): Promise<void> {
    this.#lingering = true;
    await this.#clock.sleep(LINGER_MS, this.#closed.signal);
    this.#lingering = false;
    if (!this.#closed.signal.aborted) this.#flushed = Promise.all([this.#flushed, this.flush()]);
  }
}
