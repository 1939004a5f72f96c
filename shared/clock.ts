import { performance } from "node:perf_hooks";

/** Time, as it is passed to everything that needs it. */
export interface Clock {
  /** Milliseconds since 1970 by the wall clock, which can step back and forth. */
  readonly nowMs: () => number;
  /** Milliseconds since some fixed moment; never goes back. For measuring how long something took. */
  readonly monotonicMs: () => number;
  /** Resolves after `ms`, or as soon as the signal is aborted. Never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * Reason of an abort that ends nothing but a wait. Without a reason `abort()` makes a DOMException
 * with its stack, which costs more than all else of a wait.
 */
export const OVER = "over";

/** The machine's own clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      // setTimeout fires at once for delays above 2^31-1 ms (Node's documentation of timers).
      const timer = setTimeout(done, Math.min(Math.max(0, ms), 2 ** 31 - 1));
      signal?.addEventListener("abort", done, { once: true });
    }),
};
