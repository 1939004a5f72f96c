import type { Clock } from "../clock.ts";

/** A machine that slept finds out within this time after it woke. */
const LONGEST_LOOK_MS = 10_000;

/**
 * Aborts its signal when nothing was heard for `limitMs`, or when the outer signal is.
 *
 * Silence is counted by both clocks and the longer one holds: the monotonic clock stands still while
 * a machine sleeps, and the wall clock can be set back.
 */
export class SilenceGuard {
  readonly signal: AbortSignal;
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #outer: AbortSignal;
  readonly #abort = new AbortController();
  #heardMs: { wall: number; monotonic: number };

  constructor(clock: Clock, limitMs: number, outer: AbortSignal) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#outer = outer;
    this.signal = this.#abort.signal;
    this.#heardMs = { wall: clock.nowMs(), monotonic: clock.monotonicMs() };
    if (outer.aborted) this.#stop();
    else outer.addEventListener("abort", this.#stop, { once: true });
    void this.#look();
  }

  /** Something was heard. */
  heard(): void {
    this.#heardMs = { wall: this.#clock.nowMs(), monotonic: this.#clock.monotonicMs() };
  }

  /** Ends the watch over the silence; the signal is aborted, so that what depends on it ends, too. */
  end(): void {
    this.#outer.removeEventListener("abort", this.#stop);
    this.#stop();
  }

  #stop = (): void => this.#abort.abort(this.#outer.aborted ? this.#outer.reason : undefined);

  async #look(): Promise<void> {
    while (!this.signal.aborted) {
      const leftMs = this.#limitMs - this.#silentMs();
      if (leftMs <= 0) {
        const seconds = this.#limitMs / 1000;
        this.#abort.abort(new Error(`expected a sign of life within ${seconds} s, got none`));
        this.#outer.removeEventListener("abort", this.#stop);
        return;
      }
      await this.#clock.sleep(Math.min(leftMs, LONGEST_LOOK_MS), this.signal);
    }
  }

  #silentMs(): number {
    const { wall, monotonic } = this.#heardMs;
    return Math.max(this.#clock.nowMs() - wall, this.#clock.monotonicMs() - monotonic);
  }
}
