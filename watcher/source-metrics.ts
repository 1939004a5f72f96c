import type { Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";
import type { ReflectorHealth } from "../shared/kube/reflected.ts";
import type { Metrics } from "../shared/telemetry/metrics.ts";
import type { SourceReflector, SourceState } from "./source-reflector.ts";

const UPDATE_MS = 5_000;

/** What reflectors count themselves, and the metrics that it becomes. */
const COUNTS = {
  lists: "Relists",
  watches: "WatchStarts",
  changes: "WatchChanges",
  repairs: "RelistRepairs",
} as const;

/** Reports the sources: to the metrics every 5 s, and to the log when the state of one changes. */
export class SourceMetrics {
  readonly #reflectors: readonly SourceReflector[];
  readonly #options: { readonly clock: Clock; readonly log: Logger; readonly metrics: Metrics };
  readonly #told = new Map<SourceReflector, ReflectorHealth>();
  readonly #states = new Map<SourceReflector, SourceState["state"]>();
  #updatedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    reflectors: readonly SourceReflector[],
    options: { readonly clock: Clock; readonly log: Logger; readonly metrics: Metrics },
  ) {
    this.#reflectors = reflectors;
    this.#options = options;
  }

  /** Cheap: to be called often. */
  update(): void {
    for (const reflector of this.#reflectors) this.#noteState(reflector);
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - this.#updatedAtMs < UPDATE_MS) return;
    this.#updatedAtMs = nowMs;
    for (const reflector of this.#reflectors) this.#measure(reflector);
  }

  #noteState(reflector: SourceReflector): void {
    const { state, name: source, objects, controllers } = reflector.state();
    const before = this.#states.get(reflector) ?? "syncing";
    if (state === before) return;
    this.#states.set(reflector, state);
    // The reflector itself has logged why a source is unavailable.
    if (state === "synced") {
      this.#options.log.info("source synced", { source, objects, controllers });
    }
  }

  #measure(reflector: SourceReflector): void {
    const { metrics } = this.#options;
    const health = reflector.health();
    const source = { source: reflector.name };
    const available = health.unavailable === undefined;
    metrics.gauge("SourceSynced", health.synced && available ? 1 : 0, source);
    const missed = !available && reflector.state().state !== "absent";
    metrics.gauge("SourceUnavailable", missed ? 1 : 0, source);
    metrics.gauge("SourceAgeSeconds", Math.round(health.silentMs / 1_000), source);
    metrics.gauge("CachedObjects", health.objects, source);
    const told = this.#told.get(reflector);
    for (const [count, metric] of Object.entries(COUNTS)) {
      const name = count as keyof typeof COUNTS;
      const first = name === "lists" && health.lists > 0 ? 1 : 0;
      const more = health[name] - (told?.[name] ?? first);
      if (more > 0) metrics.count(metric, source, more);
    }
    this.#told.set(reflector, health);
  }
}
