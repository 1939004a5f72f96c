import { createHash } from "node:crypto";
import type { Clock } from "../../shared/clock.ts";

/**
 * All that happened, in order: what the outside did, each change in the cluster, each run and each
 * message. Two simulations were the same if their hashes are.
 */
export class EventLog {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #hash = createHash("sha256");
  readonly #listener: ((line: string) => void) | undefined;
  readonly #counts = new Map<string, number>();
  #count = 0;

  /** @param listener Told of each line, for those who look into one seed. */
  constructor(clock: Pick<Clock, "monotonicMs">, listener?: (line: string) => void) {
    this.#clock = clock;
    this.#listener = listener;
  }

  /** Events so far. */
  get count(): number {
    return this.#count;
  }

  /** By kind. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  add(kind: string, text: string): void {
    this.#count += 1;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    const line = `${this.#clock.monotonicMs()} ${kind} ${text}\n`;
    this.#hash.update(line);
    this.#listener?.(line);
  }

  /** Of all lines so far. */
  digest(): string {
    return this.#hash.copy().digest("hex");
  }
}
