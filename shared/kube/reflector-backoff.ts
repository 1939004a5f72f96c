import type { Clock } from "../clock.ts";

/**
 * The times of client-go's reflector.
 * https://github.com/kubernetes/client-go/blob/master/tools/cache/reflector.go
 */
export const BACKOFF = {
  firstMs: 800,
  lastMs: 30_000,
  factor: 2,
  resetAfterMs: 120_000,
  /** A server that asks for longer is asked again all the same. */
  longestRetryAfterMs: 300_000,
};

/** Waits that grow from failure to failure, until all was well for two minutes. */
export class ReflectorBackoff {
  readonly #clock: Clock;
  readonly #random: () => number;
  #stepMs = BACKOFF.firstMs;
  #healthySinceMs: number | undefined;

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** The server does as asked. */
  healthy(): void {
    this.#healthySinceMs ??= this.#clock.monotonicMs();
  }

  /**
   * Milliseconds to wait after one more failure: the step and up to as much again, so that many do not
   * come back at one instant; no less than what the server asked for.
   */
  failed(retryAfterMs = 0): number {
    const healthyMs =
      this.#clock.monotonicMs() - (this.#healthySinceMs ?? Number.POSITIVE_INFINITY);
    this.#healthySinceMs = undefined;
    if (healthyMs >= BACKOFF.resetAfterMs) this.#stepMs = BACKOFF.firstMs;
    const stepMs = this.#stepMs;
    this.#stepMs = Math.min(stepMs * BACKOFF.factor, BACKOFF.lastMs);
    const askedMs = Math.min(retryAfterMs, BACKOFF.longestRetryAfterMs);
    return Math.max(stepMs, askedMs) + stepMs * this.#random();
  }

  /** The wait after the end of a watch that had worked. It does not make later waits longer. */
  reopened(): number {
    return BACKOFF.firstMs * (1 + this.#random());
  }
}
