import type { Controller } from "../shared/api/controller.ts";
import type { Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";
import type { ReflectedChange } from "../shared/kube/reflected.ts";
import type { Transport } from "../shared/kube/wire.ts";
import type { Lease } from "../shared/lease/lease.ts";
import type { RecordStore, RevisionStore } from "../shared/queue/record-store.ts";
import type { RequestQueue } from "../shared/queue/request-queue.ts";
import type { Metrics } from "../shared/telemetry/metrics.ts";
import { clusterUid } from "./cluster-uid.ts";
import type { ControllerSources } from "./controller-sources.ts";
import { controllerViews } from "./controller-views.ts";
import type { KeptObject } from "./kept-object.ts";
import { Leader } from "./leader.ts";
import { SourceMetrics } from "./source-metrics.ts";
import { planReflectors } from "./source-plan.ts";
import { SourceReflector, type SourceState } from "./source-reflector.ts";
import type { SourceView } from "./source-view.ts";
import { userCode } from "./user-code.ts";

export interface WatcherOptions {
  readonly controllers: readonly Controller[];
  readonly cluster: string;
  /** Where given, the revisions of the controllers; else the leader reads them from the store. */
  readonly revisions?: ReadonlyMap<string, string>;
  readonly transport: Transport;
  readonly store: RecordStore & RevisionStore;
  /** By controller name. */
  readonly queues: ReadonlyMap<string, RequestQueue>;
  /** Makes the lease, once the cluster's identity is known. */
  readonly lease: (clusterUid: string) => Pick<Lease, "whileHeld" | "held">;
  readonly clock: Clock;
  /** The time of AWS, in milliseconds since 1970. */
  readonly serverNowMs: () => number;
  readonly random: () => number;
  readonly newId: () => string;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export interface WatcherHealth {
  /** Every loop is at work. Says nothing of AWS or the API server: a restart would not help them. */
  readonly live: boolean;
  /** The sources whose loop is not. */
  readonly dead: readonly string[];
  /** Every source has synced, or is known to be unavailable. */
  readonly ready: boolean;
  readonly leading: boolean;
  readonly sources: readonly SourceState[];
}

export interface Watcher {
  /** Watches, and leads while it holds the lease. Resolves once the signal is aborted and all has stopped. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly health: () => WatcherHealth;
  /** Keys whose changes wait to be forwarded; 0 while another one leads. */
  readonly waiting: () => number;
}

/** So often the sources are looked at for one that has synced. */
const LOOK_MS = 250;

/** Above the longest wait between two requests of a reflector: Retry-After counts up to 5 minutes. */
const DEAD_AFTER_MS = 600_000;

/**
 * Turns changes in a cluster into requests. Every replica holds the caches; only the one with the
 * lease forwards, fires timers and resyncs (queue-protocol.md).
 */
export function createWatcher(options: WatcherOptions): Watcher {
  const program = new WatcherProgram(options);
  return {
    run: (signal) => program.run(signal),
    health: () => program.health(),
    waiting: () => program.waiting(),
  };
}

class WatcherProgram {
  readonly #options: WatcherOptions;
  readonly #sources: readonly ControllerSources[];
  readonly #sourcesOf = new Map<SourceView, ControllerSources>();
  readonly #reflectors: readonly SourceReflector[];
  readonly #sourceMetrics: SourceMetrics;
  #leader: Leader | undefined;

  constructor(options: WatcherOptions) {
    this.#options = options;
    const { controllers, queues, log, metrics, clock } = options;
    checkNames(controllers, queues);
    const code = userCode(log, metrics, () => clock.monotonicMs());
    const all = controllers.map((controller) => controllerViews(controller, code));
    this.#sources = all.map(({ sources }) => sources);
    for (const { sources, views } of all) {
      for (const view of views) this.#sourcesOf.set(view, sources);
    }
    const onChange = this.#onChange;
    this.#reflectors = planReflectors([...this.#sourcesOf.keys()]).map(
      (plan) => new SourceReflector({ ...options, plan, onChange }),
    );
    for (const reflector of this.#reflectors) {
      for (const [slot, view] of reflector.plan.views.entries()) {
        this.#sourcesOf.get(view)?.attach(view, reflector, slot);
      }
    }
    this.#sourceMetrics = new SourceMetrics(this.#reflectors, options);
  }

  async run(signal: AbortSignal): Promise<void> {
    const reflecting = this.#reflectors.map((reflector) => reflector.run(signal));
    await Promise.all([...reflecting, this.#look(signal), this.#lead(signal)]);
  }

  health(): WatcherHealth {
    const sources = this.#reflectors.map((reflector) => reflector.state());
    const dead = sources.filter(({ idleMs }) => idleMs >= DEAD_AFTER_MS).map(({ name }) => name);
    return {
      live: dead.length === 0,
      dead,
      ready: sources.every(({ state }) => state !== "syncing"),
      leading: this.#leader !== undefined,
      sources,
    };
  }

  waiting(): number {
    return this.#leader?.waiting ?? 0;
  }

  readonly #onChange = (change: ReflectedChange<KeptObject>, from: SourceReflector): void => {
    const { metrics } = this.#options;
    for (const view of from.plan.views) {
      const mapped = this.#sourcesOf.get(view)?.change(view, from, change);
      if (!mapped?.passed) continue;
      const controller = view.controller.name;
      metrics.count("PassedChanges", { controller });
      this.#leader?.change(controller, mapped);
    }
  };

  async #look(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      for (const sources of this.#sources) {
        if (sources.refresh()) this.#leader?.synced(sources.controller.name);
      }
      this.#sourceMetrics.update();
      await clock.sleep(LOOK_MS, signal);
    }
  }

  async #lead(signal: AbortSignal): Promise<void> {
    const { transport } = this.#options;
    const uid = await clusterUid(transport, this.#options, signal);
    if (uid === undefined) return;
    const lease = this.#options.lease(uid);
    await lease.whileHeld(async (held) => {
      // From here on changes are forwarded; its backfill finds what changed before.
      const leader = new Leader({
        ...this.#options,
        sources: this.#sources,
        leading: () => lease.held,
      });
      this.#leader = leader;
      try {
        await leader.run(held);
      } finally {
        this.#leader = undefined;
      }
    }, signal);
  }
}

function checkNames(
  controllers: readonly Controller[],
  queues: ReadonlyMap<string, RequestQueue>,
): void {
  const names = new Set<string>();
  for (const { name } of controllers) {
    if (names.has(name)) {
      throw new Error(`cannot watch: expected controllers of different names, got two "${name}"`);
    }
    names.add(name);
    if (!queues.has(name)) {
      const known = [...queues.keys()].join(", ") || "none";
      throw new Error(`cannot watch for controller ${name}: expected a queue for it, got ${known}`);
    }
  }
}
