import type { RevisionStore } from "../shared/queue/record-store.ts";
import { ControllerLeader, type ControllerLeaderOptions } from "./controller-leader.ts";
import type { ControllerSources, MappedChange } from "./controller-sources.ts";
import { Revisions } from "./revisions.ts";
import { Timers } from "./timers.ts";

export interface LeaderOptions
  extends Omit<ControllerLeaderOptions, "controller" | "sources" | "queue"> {
  readonly sources: readonly ControllerSources[];
  readonly queues: ReadonlyMap<string, ControllerLeaderOptions["queue"]>;
  readonly store: ControllerLeaderOptions["store"] & RevisionStore;
  /** Where given, the revisions of the controllers; else the leader reads them from the store. */
  readonly revisions?: ReadonlyMap<string, string>;
}

const GAUGE_MS = 5_000;

/** All that a leader does during one term: forwards, fires timers, resyncs, follows revisions. */
export class Leader {
  readonly #options: LeaderOptions;
  readonly #leaders = new Map<string, ControllerLeader>();

  constructor(options: LeaderOptions) {
    this.#options = options;
    for (const sources of options.sources) {
      const { controller } = sources;
      const queue = options.queues.get(controller.name);
      if (!queue) throw new Error(`cannot lead: expected a queue of controller ${controller.name}`);
      const leader = new ControllerLeader({ ...options, controller, sources, queue });
      leader.backfill.want("start");
      this.#leaders.set(controller.name, leader);
    }
  }

  /** Keys that wait to be forwarded. */
  get waiting(): number {
    return [...this.#leaders.values()].reduce((sum, { loop }) => sum + loop.waiting, 0);
  }

  /** Told of each change that passed. */
  change(controller: string, change: MappedChange): void {
    this.#leaders.get(controller)?.change(change);
  }

  /** A source of the controller has synced, or the controller is ready now. */
  synced(controller: string): void {
    this.#leaders.get(controller)?.backfill.want("late");
  }

  /** Resolves once the signal is aborted and all has stopped. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, revisions } = this.#options;
    if (revisions) this.#deployed(revisions);
    const follow = new Revisions({
      ...this.#options,
      store,
      onRead: (read) => this.#deployed(read),
    });
    const timers = new Timers({ ...this.#options, targets: this.#leaders });
    const runs = [...this.#leaders.values()].map((leader) => leader.run(signal));
    await Promise.all([
      ...runs,
      timers.run(signal),
      this.#gauges(signal),
      ...(revisions ? [] : [follow.run(signal)]),
    ]);
  }

  #deployed(revisions: ReadonlyMap<string, string>): void {
    for (const [name, leader] of this.#leaders) leader.backfill.deployed(revisions.get(name));
  }

  async #gauges(signal: AbortSignal): Promise<void> {
    const { metrics, clock } = this.#options;
    while (!signal.aborted) {
      for (const [controller, { loop }] of this.#leaders) {
        metrics.gauge("WaitingKeys", loop.waiting, { controller });
      }
      await clock.sleep(GAUGE_MS, signal);
    }
    for (const controller of this.#leaders.keys()) {
      metrics.gauge("WaitingKeys", 0, { controller });
    }
  }
}
