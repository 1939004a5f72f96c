import { OVER } from "../shared/clock.ts";

/** Whether a function takes messages. "pausing": it takes none any more, and some still run. */
export type FunctionState = "running" | "pausing" | "paused";

/** The switch by which a function stops taking messages, as the `Enabled` of an event source mapping. */
export class FunctionPause {
  readonly #told: (state: FunctionState) => void;
  #closing = new AbortController();
  readonly #waiting = new Set<() => void>();

  /** `told` hears each state, the first one at once. */
  constructor(paused: boolean, told: (state: FunctionState) => void) {
    this.#told = told;
    if (paused) this.#closing.abort(OVER);
    told(paused ? "paused" : "running");
  }

  /** Aborted from a pause on: what waits for messages ends. Another one after a resume. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  set(paused: boolean): void {
    if (paused === this.signal.aborted) return;
    if (paused) {
      this.#closing.abort(OVER);
      this.#told("pausing");
      return;
    }
    this.#closing = new AbortController();
    this.#told("running");
    for (const resume of this.#waiting) resume();
  }

  /** The runner takes no messages, and none runs any more. */
  rested(): void {
    if (this.signal.aborted) this.#told("paused");
  }

  /** Resolves once it is resumed, or the signal is aborted. */
  async resumed(stop: AbortSignal): Promise<void> {
    if (!this.signal.aborted || stop.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        stop.removeEventListener("abort", done);
        resolve();
      };
      this.#waiting.add(done);
      stop.addEventListener("abort", done, { once: true });
    });
  }
}
