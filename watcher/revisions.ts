import type { Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";
import type { RevisionStore } from "../shared/queue/record-store.ts";
import { untilAborted } from "./bell.ts";
import { type Outage, outage } from "./outage.ts";

export interface RevisionsOptions {
  readonly cluster: string;
  readonly store: Pick<RevisionStore, "revisions">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called after each successful read, with all of them. */
  readonly onRead: (revisions: ReadonlyMap<string, string>) => void;
}

const PERIOD_MS = 10_000;
const RETRY_MS = 2_000;

/** Follows which revision of each controller is deployed, while we lead. */
export class Revisions {
  readonly #options: RevisionsOptions;
  readonly #outage: Outage;

  constructor(options: RevisionsOptions) {
    this.#options = options;
    this.#outage = outage({ what: "revisions", ...options });
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      const read = await this.#read(signal);
      await clock.sleep(read ? PERIOD_MS : RETRY_MS, signal);
    }
  }

  async #read(signal: AbortSignal): Promise<boolean> {
    const { store, cluster, onRead } = this.#options;
    try {
      const revisions = await untilAborted(store.revisions(cluster), signal);
      if (!revisions) return false;
      this.#outage.over();
      onRead(revisions);
      return true;
    } catch (error) {
      // Safe: what was read last holds until the next read.
      this.#outage.failed(error);
      return false;
    }
  }
}
