import type { Clock } from "../../shared/clock.ts";

const ceil = Math.ceil;

export interface MachineTime {
  /** How far its wall clock is ahead. */
  readonly offsetMs: number;
  /** How fast it runs: at 1.01 a sleep of 1,010 ms takes 1,000 ms. */
  readonly rate: number;
}

/** The clock of one machine: ahead or behind, a little fast or slow, and stepped by NTP or by hand. */
export class MachineClock implements Clock {
  readonly #true: Clock;
  readonly #rate: number;
  readonly #bootMs: number;
  #offsetMs: number;

  constructor(trueClock: Clock, { offsetMs, rate }: MachineTime) {
    this.#true = trueClock;
    this.#rate = rate;
    // Right but for the offset when it starts; it drifts from then on.
    this.#bootMs = trueClock.nowMs() - this.monotonicMs();
    this.#offsetMs = offsetMs;
  }

  nowMs = (): number => this.#bootMs + this.monotonicMs() + this.#offsetMs;

  monotonicMs = (): number => this.#true.monotonicMs() * this.#rate;

  /** In whole milliseconds of true time, as timers are: shorter ones would never add up. */
  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    this.#true.sleep(ceil(ms / this.#rate), signal);

  /** Moves the wall clock; the other one does not notice. */
  step(ms: number): void {
    this.#offsetMs += ms;
  }
}
