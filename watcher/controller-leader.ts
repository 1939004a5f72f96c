import type { Controller } from "../shared/api/controller.ts";
import type { Logger } from "../shared/api/log.ts";
import { mappingOf } from "../shared/api/mapping.ts";
import type { Clock } from "../shared/clock.ts";
import { coveredLive } from "../shared/queue/covered.ts";
import type { ObjectRecord } from "../shared/queue/record.ts";
import type { RecordStore } from "../shared/queue/record-store.ts";
import type { RequestQueue } from "../shared/queue/request-queue.ts";
import type { Metrics } from "../shared/telemetry/metrics.ts";
import { Backfill } from "./backfill.ts";
import type { ControllerSources, MappedChange } from "./controller-sources.ts";
import { ForwardLoop } from "./forward-loop.ts";
import { Forwarder } from "./forwarder.ts";
import type { PendingEntry } from "./pending-entry.ts";
import { Resync } from "./resync.ts";
import { SlowLane } from "./slow-lane.ts";

export interface ControllerLeaderOptions {
  readonly cluster: string;
  readonly controller: Controller;
  readonly sources: ControllerSources;
  readonly store: RecordStore;
  readonly queue: RequestQueue;
  readonly clock: Clock;
  readonly serverNowMs: () => number;
  readonly newId: () => string;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Whether the lease is held at this very moment. */
  readonly leading: () => boolean;
}

/** What a leader does for one controller, during one term: nothing of it outlives the term. */
export class ControllerLeader {
  readonly forwarder: Forwarder;
  readonly loop: ForwardLoop;
  readonly backfill: Backfill;
  readonly #lane: SlowLane;
  readonly #resync: Resync;
  readonly #options: ControllerLeaderOptions;

  constructor(options: ControllerLeaderOptions) {
    const { controller } = options;
    const named = { ...options, controller: controller.name };
    this.#options = options;
    this.forwarder = new Forwarder({ ...named, covered: this.#covered });
    this.loop = new ForwardLoop({ ...named, forwarder: this.forwarder });
    this.#lane = new SlowLane({
      ...named,
      forwarder: this.forwarder,
      mostUnstarted: 2 * controller.maxConcurrentReconciles,
      batchSize: mappingOf(controller).batchSize,
    });
    this.backfill = new Backfill({ ...options, loop: this.loop, lane: this.#lane });
    this.#resync = new Resync({
      ...named,
      lane: this.#lane,
      resyncSeconds: controller.resyncSeconds,
    });
  }

  /** Requests the keys of a change that passed. */
  change({ identity, fingerprint, deleting, deleted, remapped, slowed, keys }: MappedChange): void {
    const { cluster, controller, serverNowMs } = this.#options;
    for (const { namespace, name } of keys) {
      const entry: PendingEntry = {
        key: { cluster, controller: controller.name, namespace, name },
        reason: "change",
        objects: new Map([[identity, { fingerprint, deleting }]]),
        deleted,
        remapped,
        waits: 0,
      };
      // A list can find thousands whose last runs do not tell what they saw.
      if (slowed) this.#lane.add({ entry });
      else this.loop.add({ ...entry, changedAtMs: serverNowMs() });
    }
  }

  /** Resolves once the signal is aborted and nothing more is sent. */
  async run(signal: AbortSignal): Promise<void> {
    const parts = [this.loop, this.#lane, this.backfill, this.#resync];
    await Promise.all(parts.map((part) => part.run(signal)));
  }

  readonly #covered = (entry: PendingEntry, record: ObjectRecord): boolean => {
    const { revision } = this.backfill;
    if (revision === undefined) return false;
    const objects = [...entry.objects].map(([identity, object]) => ({ identity, ...object }));
    return coveredLive({ record, entry: { objects, anyDeleted: entry.deleted }, revision });
  };
}
