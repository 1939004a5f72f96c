import { type Clock, OVER } from "../shared/clock.ts";

/** Wakes one loop that waits for work. A ring while nobody waits is kept for the next wait. */
export class Bell {
  readonly #clock: Clock;
  #rung = false;
  #waiting: AbortController | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(): void {
    this.#rung = true;
    this.#waiting?.abort(OVER);
  }

  /** Resolves after `ms`, at a ring, or when the signal is aborted. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#rung && !signal.aborted) {
      const waiting = new AbortController();
      const stop = () => waiting.abort(OVER);
      this.#waiting = waiting;
      signal.addEventListener("abort", stop, { once: true });
      await this.#clock.sleep(ms, waiting.signal);
      signal.removeEventListener("abort", stop);
      this.#waiting = undefined;
    }
    this.#rung = false;
  }
}

/**
 * The promise's result, or undefined as soon as the signal is aborted: what leads must not wait for
 * an answer that never comes. A later rejection is of no consequence.
 */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  promise.catch(() => {});
  if (signal.aborted) return undefined;
  let stop = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
