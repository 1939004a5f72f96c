import type { Clock } from "../clock.ts";

interface Sleeper {
  readonly atMs: number;
  readonly order: number;
  readonly wake: () => void;
}

/**
 * A clock that stands still until a test moves it.
 *
 * Between two sleepers every promise that can settle without time passing does settle, so a test
 * of timers needs no real waiting. It does not wait for sockets, files or other processes.
 */
export class VirtualClock implements Clock {
  #atMs: number;
  #stepMs = 0;
  #order = 0;
  readonly #startMs: number;
  readonly #rest: () => Promise<void>;
  readonly #sleepers = new Set<Sleeper>();

  /**
   * @param startMs Milliseconds since 1970 at which it starts; a moment in 2026 by default.
   * @param rest Resolves once everything has happened that needs no time; default `idle`.
   */
  constructor(startMs = Date.UTC(2026, 0, 1), rest = idle) {
    this.#startMs = startMs;
    this.#rest = rest;
    this.#atMs = startMs;
  }

  nowMs = (): number => this.#atMs + this.#stepMs;

  monotonicMs = (): number => this.#atMs - this.#startMs;

  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      this.#order += 1;
      const sleeper = { atMs: this.#atMs + Math.max(0, ms), order: this.#order, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", wake, { once: true });
    });

  /** Lets `ms` pass and wakes each sleeper at its moment, in order. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#atMs + ms;
    await this.#rest();
    for (let next = this.#due(endMs); next; next = this.#due(endMs)) {
      this.#atMs = Math.max(this.#atMs, next.atMs);
      next.wake();
      await this.#rest();
    }
    this.#atMs = endMs;
  }

  /** Moves the wall clock, as NTP or an operator does; sleepers and `monotonicMs` do not notice. */
  step(ms: number): void {
    this.#stepMs += ms;
  }

  /** Milliseconds until the next sleeper wakes; undefined where nobody sleeps. */
  nextMs(): number | undefined {
    const next = this.#due(Number.POSITIVE_INFINITY);
    return next && Math.max(0, next.atMs - this.#atMs);
  }

  /**
   * The clock of another machine.
   *
   * @param offsetMs How far its wall clock is ahead.
   * @param rate How fast its clock runs: at 1.1 a sleep of 1,100 ms takes 1,000 ms.
   */
  machine({ offsetMs = 0, rate = 1 }: { offsetMs?: number; rate?: number }): Clock {
    return {
      nowMs: () => this.#startMs + this.monotonicMs() * rate + this.#stepMs + offsetMs,
      monotonicMs: () => this.monotonicMs() * rate,
      sleep: (ms, signal) => this.sleep(ms / rate, signal),
    };
  }

  #due(endMs: number): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const sleeper of this.#sleepers) {
      if (sleeper.atMs > endMs) continue;
      if (!first || sleeper.atMs < first.atMs) first = sleeper;
      else if (sleeper.atMs === first.atMs && sleeper.order < first.order) first = sleeper;
    }
    return first;
  }
}

/** Resolves once every promise that can settle without time passing has settled. */
export async function idle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
