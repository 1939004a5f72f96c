import type { Logger } from "../../shared/api/log.ts";
import type { Key } from "../../shared/api/object.ts";
import type { Clock } from "../../shared/clock.ts";

export interface WorkloadQueueOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Brings one object nearer to what it should be. */
  readonly reconcile: (key: Key) => Promise<void>;
}

const RETRY_MS = 200;
const LONGEST_RETRY_MS = 10_000;

/** Reconciles keys one after the other; what comes for a key meanwhile is one more turn. */
export class WorkloadQueue {
  readonly #options: WorkloadQueueOptions;
  readonly #keys = new Map<string, Key>();
  readonly #failures = new Map<string, number>();
  #wake = Promise.withResolvers<void>();

  constructor(options: WorkloadQueueOptions) {
    this.#options = options;
  }

  add(key: Key): void {
    this.#keys.set(textOf(key), key);
    this.#wake.resolve();
  }

  /** Adds it after a while. */
  addLater(key: Key, ms: number, signal: AbortSignal): void {
    void this.#options.clock.sleep(ms, signal).then(() => {
      if (!signal.aborted) this.add(key);
    });
  }

  /** Resolves once the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.#wake.resolve(), { once: true });
    while (!signal.aborted) {
      const [next] = this.#keys;
      if (next) await this.#turn(next, signal);
      else {
        await this.#wake.promise;
        this.#wake = Promise.withResolvers();
      }
    }
  }

  async #turn([text, key]: readonly [string, Key], signal: AbortSignal): Promise<void> {
    this.#keys.delete(text);
    try {
      await this.#options.reconcile(key);
      this.#failures.delete(text);
    } catch (error) {
      const failures = (this.#failures.get(text) ?? 0) + 1;
      this.#failures.set(text, failures);
      const { name, log } = this.#options;
      log.debug("a workload is tried again", { controller: name, ...key, error });
      this.addLater(key, Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** (failures - 1)), signal);
    }
  }
}

function textOf({ namespace, name }: Key): string {
  return `${namespace}/${name}`;
}
