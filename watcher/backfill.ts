import type { Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";
import type { Metrics } from "../shared/telemetry/metrics.ts";
import { type BackfillPass, backfillPass, type PassOptions } from "./backfill-pass.ts";
import { Bell } from "./bell.ts";
import { type Outage, outage } from "./outage.ts";
import { RevisionGuard } from "./revision-guard.ts";

export interface BackfillOptions extends PassOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

const RETRY_MS = 2_000;
const IDLE_MS = 60_000;

/** Between two passes for a revision; doubling, for a function that stays old would run for ever. */
const REPEAT_MS = { first: 10_000, most: 3_600_000 };

/**
 * After a revision was read, an invocation of older code may hold a message for as long as a function
 * can live (15 min), and one may begin while the update still spreads: whatever it runs, a pass after
 * that finds.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-timeout.html
 */
const OLD_CODE_MS = 960_000;

/**
 * Decides when the keys of a controller are looked through: at a start, a take-over, a new revision,
 * and when a source syncs late. A pass for a revision repeats until it finds nothing, and once more
 * when no old code can be at work any longer, for old code may have run meanwhile.
 */
export class Backfill {
  readonly #options: BackfillOptions;
  readonly #bell: Bell;
  readonly #outage: Outage;
  readonly #wanted = new Set<"start" | "late" | "revision">();
  #guard: RevisionGuard | undefined;
  #known = false;
  #repeatAtMs: number | undefined;
  #lastPassAtMs: number | undefined;
  #repeats = 0;

  constructor(options: BackfillOptions) {
    this.#options = options;
    this.#bell = new Bell(options.clock);
    this.#outage = outage({ what: `backfill of ${options.controller.name}`, ...options });
  }

  /** The revision that is deployed; undefined while none is known. */
  get revision(): string | undefined {
    return this.#guard?.revision;
  }

  /** Told what the deploy wrote, again and again. Nothing is judged before the first time. */
  deployed(revision: string | undefined): void {
    if (this.#known && revision === this.revision) return;
    if (this.#known) this.#wanted.add("revision");
    this.#known = true;
    this.#repeats = 0;
    this.#repeatAtMs = undefined;
    this.#guard = revision === undefined ? undefined : new RevisionGuard(revision);
    const { metrics, controller, clock } = this.#options;
    this.#lastPassAtMs = revision === undefined ? undefined : clock.monotonicMs() + OLD_CODE_MS;
    metrics.gauge("RevisionStopped", 0, { controller: controller.name });
    this.#bell.ring();
  }

  /** `start` of a leader; `late`: a source has synced. */
  want(why: "start" | "late"): void {
    this.#wanted.add(why);
    this.#bell.ring();
  }

  /** Makes the passes that are wanted, until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#wantRepeat();
      const able = this.#known && this.#options.sources.ready;
      if (able && this.#wanted.size > 0) await this.#pass(signal);
      else await this.#bell.wait(this.#idleMs(), signal);
    }
  }

  async #pass(signal: AbortSignal): Promise<void> {
    const { clock, metrics, log, controller } = this.#options;
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    const startedMs = clock.monotonicMs();
    try {
      const found = await backfillPass(this.#options, this.#passFor(wanted), signal);
      if (!found) return;
      this.#outage.over();
      const { stale, ...counts } = found;
      log.info("backfill looked through all keys", {
        controller: controller.name,
        revision: this.revision,
        why: wanted,
        found: counts,
      });
      const seconds = (clock.monotonicMs() - startedMs) / 1_000;
      metrics.observe("BackfillSeconds", seconds, { controller: controller.name });
      for (const reason of ["changed", "revision", "all"] as const) {
        const labels = { controller: controller.name, reason };
        if (counts[reason] > 0) metrics.count("BackfillRequests", labels, counts[reason]);
      }
      this.#repeatAfter(stale);
    } catch (error) {
      // Safe: the pass is made again from its beginning, and what it added is judged before it is sent.
      if (!signal.aborted) this.#outage.failed(error);
      for (const why of wanted) this.#wanted.add(why);
      await clock.sleep(RETRY_MS, signal);
    }
  }

  #passFor(wanted: readonly string[]): BackfillPass {
    const { controller } = this.#options;
    return {
      ...(this.#guard && { guard: this.#guard }),
      all: wanted.includes("start") && controller.onStart === "all",
      revisionOnly: wanted.length === 1 && wanted[0] === "revision",
      repeated: this.#repeats > 0,
    };
  }

  #repeatAfter(stale: number): void {
    const nowMs = this.#options.clock.monotonicMs();
    const lastAtMs = this.#lastPassAtMs ?? Number.NEGATIVE_INFINITY;
    this.#repeatAtMs = undefined;
    if (this.#guard?.tripped) return;
    if (stale === 0) {
      if (nowMs < lastAtMs) this.#repeatAtMs = lastAtMs;
      return;
    }
    this.#repeatAtMs = nowMs + Math.min(REPEAT_MS.most, REPEAT_MS.first * 2 ** this.#repeats);
    this.#repeats += 1;
  }

  #wantRepeat(): void {
    const nowMs = this.#options.clock.monotonicMs();
    if (this.#repeatAtMs === undefined || nowMs < this.#repeatAtMs) return;
    // What the last pass found has to run first.
    this.#repeatAtMs = this.#options.lane.size > 0 ? nowMs + REPEAT_MS.first : undefined;
    if (this.#repeatAtMs === undefined && !this.#guard?.tripped) this.#wanted.add("revision");
  }

  #idleMs(): number {
    const nowMs = this.#options.clock.monotonicMs();
    return this.#repeatAtMs === undefined ? IDLE_MS : Math.max(0, this.#repeatAtMs - nowMs);
  }
}
