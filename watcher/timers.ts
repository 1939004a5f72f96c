import type { Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";
import { SHARD_COUNT } from "../shared/queue/record-key.ts";
import { type RecordStore, recordId, type Timer } from "../shared/queue/record-store.ts";
import type { Metrics } from "../shared/telemetry/metrics.ts";
import { untilAborted } from "./bell.ts";
import type { ForwardLoop } from "./forward-loop.ts";
import type { Fate, Forwarder } from "./forwarder.ts";
import { type Outage, outage } from "./outage.ts";
import { timerEntry } from "./pending-entry.ts";

/** Where the timers of one controller go. */
export interface TimerTarget {
  readonly forwarder: Pick<Forwarder, "forward">;
  readonly loop: Pick<ForwardLoop, "behind">;
}

export interface TimersOptions {
  readonly cluster: string;
  readonly targets: ReadonlyMap<string, TimerTarget>;
  readonly store: Pick<RecordStore, "due" | "read" | "clearTimer">;
  readonly clock: Clock;
  readonly serverNowMs: () => number;
  readonly log: Logger;
  readonly metrics: Metrics;
}

const TICK_MS = 1_000;
const MOST_PER_SHARD = 1_000;
const BATCH_KEYS = 100;

/** How long timers step aside for live changes before a batch of them goes all the same. */
const STEP_ASIDE_MS = 1_000;

/** Fires the timers of a cluster's records while we lead. */
export class Timers {
  readonly #options: TimersOptions;
  readonly #outage: Outage;

  constructor(options: TimersOptions) {
    this.#options = options;
    this.#outage = outage({ what: "timers", ...options });
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      const startedMs = clock.monotonicMs();
      const shards = Array.from({ length: SHARD_COUNT }, (_, shard) => this.#shard(shard, signal));
      await Promise.all(shards);
      await clock.sleep(Math.max(0, startedMs + TICK_MS - clock.monotonicMs()), signal);
    }
  }

  async #shard(shard: number, signal: AbortSignal): Promise<void> {
    const { store, cluster, serverNowMs } = this.#options;
    try {
      const due = store.due({ cluster, shard, nowMs: serverNowMs(), limit: MOST_PER_SHARD });
      const timers = (await untilAborted(due, signal)) ?? [];
      this.#outage.over();
      for (const [controller, some] of Map.groupBy(timers, ({ key }) => key.controller)) {
        for (let at = 0; at < some.length && !signal.aborted; at += BATCH_KEYS) {
          await this.#fire(controller, some.slice(at, at + BATCH_KEYS), signal);
        }
      }
    } catch (error) {
      // Safe: the timers stay in the table, and the next second asks again.
      this.#outage.failed(error);
    }
  }

  async #fire(controller: string, timers: readonly Timer[], signal: AbortSignal): Promise<void> {
    const target = this.#options.targets.get(controller);
    if (!target) return this.#removeOrphans(timers, signal);
    await this.#stepAside(target, signal);
    const entries = timers.map(timerEntry);
    const fates = await target.forwarder.forward(entries, signal, { inDoubt: false });
    const clears = timers.map((timer, index) => this.#clear(timer, fates[index], signal));
    await Promise.all(clears);
  }

  /** Live changes go first. */
  async #stepAside({ loop }: TimerTarget, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const untilMs = clock.monotonicMs() + STEP_ASIDE_MS;
    while (loop.behind && clock.monotonicMs() < untilMs && !signal.aborted) {
      await clock.sleep(50, signal);
    }
  }

  /** Q10: what the index named is gone only if the record still says the same. */
  async #clear({ key, dueAt }: Timer, fate: Fate | undefined, signal: AbortSignal): Promise<void> {
    if (fate?.kind !== "sent" || signal.aborted) return;
    const { epoch } = fate;
    const { metrics, serverNowMs } = this.#options;
    const labels = { controller: key.controller };
    metrics.count("TimersFired", labels);
    metrics.observe("TimerLagSeconds", Math.max(0, serverNowMs() - dueAt) / 1_000, labels);
    await untilAborted(this.#options.store.clearTimer(key, { dueAt, epoch }), signal);
  }

  /** Nobody runs the controller any more. */
  async #removeOrphans(timers: readonly Timer[], signal: AbortSignal): Promise<void> {
    const { store } = this.#options;
    const answer = await untilAborted(store.read(timers.map(({ key }) => key)), signal);
    for (const { key, dueAt } of timers) {
      const record = answer?.records.get(recordId(key));
      if (!record || signal.aborted) continue;
      await untilAborted(store.clearTimer(key, { dueAt, epoch: record.epoch }), signal);
    }
  }
}
