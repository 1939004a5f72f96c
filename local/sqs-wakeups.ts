import { type Clock, OVER } from "../shared/clock.ts";

/** Lets long polls sleep until something happens to their queue. */
export class SqsWakeups {
  readonly #clock: Clock;
  readonly #sleepers = new Map<string, Set<AbortController>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the queue is woken, after `ms`, or when the signal is aborted. Never rejects. */
  async wait(queue: string, ms: number, signal?: AbortSignal): Promise<void> {
    const sleeper = new AbortController();
    const wake = () => sleeper.abort(OVER);
    const sleepers = this.#sleepers.get(queue) ?? new Set();
    this.#sleepers.set(queue, sleepers.add(sleeper));
    signal?.addEventListener("abort", wake, { once: true });
    if (!signal?.aborted) await this.#clock.sleep(ms, sleeper.signal);
    signal?.removeEventListener("abort", wake);
    sleepers.delete(sleeper);
  }

  wake(queue: string): void {
    for (const sleeper of this.#sleepers.get(queue) ?? []) sleeper.abort(OVER);
  }

  wakeAll(): void {
    for (const queue of this.#sleepers.keys()) this.wake(queue);
  }
}
