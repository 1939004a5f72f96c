import assert from "node:assert";
import type { Logger } from "../api/log.ts";
import type { Clock } from "../clock.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { inTime } from "./in-time.ts";
import { type Claim, claimOf, type Sighting, sight } from "./lease-claim.ts";
import type { LeaseRecord, LeaseStore } from "./lease-store.ts";
import { checkTimes, LEASE_TIMES, type LeaseTimes, RETRY_JITTER } from "./lease-times.ts";

export interface LeaseOptions {
  readonly store: LeaseStore;
  readonly clock: Clock;
  /** Unique to this process, also among its own restarts: pod name and a random part. */
  readonly holder: string;
  /** Uid of the cluster's namespace kube-system. */
  readonly clusterUid: string;
  /** A random text that never repeats. */
  readonly newId: () => string;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly times?: LeaseTimes;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Ends the process at once: what led did not stop in time, and a rival may lead now. */
  readonly exit: () => void;
}

/** What is done while the lease is held. It must stop soon after the signal is aborted. */
export type Lead = (signal: AbortSignal, term: number) => Promise<void>;

interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** A write and when it was sent. */
interface Tried {
  readonly record: LeaseRecord;
  readonly sent: Moment;
}

/**
 * A lease that one holder has at a time.
 *
 * - L1 Clocks of two machines are never compared. A rival's lease has expired once its version stood
 *   still for the record's duration by our own monotonic clock, counted from after the read.
 * - L2 The holder stops leading at its renew deadline, counted from *before* its last successful
 *   renewal was sent, whether or not the store answers. So nobody leads when a rival may begin, as
 *   long as no clock runs 1.5 times as fast as another (duration / renew deadline).
 * - L3 Every write is conditional on the version last read. One that lands late changes nothing, or
 *   makes a version that rivals wait out.
 * - L4 Only "written" is an answer. After anything else (an error, silence, a failed condition, which
 *   can be a repetition of our own request) the next read decides: an item that names us is ours, and
 *   one with the version of our last write tells that this write was carried out.
 * - L5 An item that vanished counts as held, for one duration, by all that ever saw one.
 * - L6 The lease is given back only after what led has ended.
 *
 * It does not fence: a process that was frozen may act once more when it wakes, before any timer
 * runs. Ask `held` right before an act that matters.
 */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #times: LeaseTimes;
  readonly #clock: Clock;
  #seen: Sighting | undefined;
  /** The item as we last wrote it; undefined when in doubt (L4). */
  #own: LeaseRecord | undefined;
  /** Our last write, whatever was answered. */
  #tried: Tried | undefined;
  /** When the last successful write was sent; undefined when not leading. */
  #renewed: Moment | undefined;
  #term = 0;
  #running = false;
  /** Whether the item may name us. */
  #named = false;
  #refused = false;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#times = options.times ?? LEASE_TIMES;
    this.#clock = options.clock;
    checkTimes(this.#times);
    assert(options.holder !== "", "cannot make a lease: expected a holder, got an empty text");
  }

  /** Whether we lead at this very moment: false as soon as the renew deadline has passed. */
  get held(): boolean {
    return this.#elapsedMs() < this.#times.renewDeadlineMs;
  }

  /**
   * Runs `lead` whenever we hold the lease, and aborts its signal when we lose it or when the outer
   * signal is aborted; never two at once. Resolves once the outer signal is aborted and `lead` has
   * ended. Where `lead` rejects, the lease is released, and this rejects with the same error. Where
   * it just ends, the lease is released and tried for again.
   */
  async whileHeld(lead: Lead, signal: AbortSignal): Promise<void> {
    assert(!this.#running, "cannot try for a lease twice at once");
    this.#running = true;
    try {
      while (!signal.aborted) {
        const acquired = await this.#tryAcquire(signal);
        if (acquired && this.held && !signal.aborted) await this.#leadUntilLost(lead, signal);
        await this.#clock.sleep(this.#standbyMs(), signal);
      }
      if (this.#named) await this.#release();
    } finally {
      this.#running = false;
    }
  }

  async #tryAcquire(signal: AbortSignal): Promise<boolean> {
    try {
      const record = await this.#inTime(signal, this.#options.store.read);
      const claim = this.#claim(record);
      if (claim === "foreign") this.#refuse(record);
      if (claim !== "free" && claim !== "ours") return false;
      return this.#confirmed(record) || (await this.#write(record, signal));
    } catch (error) {
      // Safe: we do not lead, and the next try reads first (L4).
      if (!signal.aborted) this.#failed(error);
      return false;
    }
  }

  async #leadUntilLost(lead: Lead, signal: AbortSignal): Promise<void> {
    const { log, metrics, holder } = this.#options;
    const term = this.#term;
    const lost = new AbortController();
    const ended = new AbortController();
    log.info("leading", { holder, term });
    metrics.gauge("LeaseHeld", 1);
    metrics.count("LeaseTerms");
    const run = async () => lead(AbortSignal.any([signal, lost.signal]), term);
    const leading = run().finally(() => ended.abort());
    const settled = Promise.allSettled([leading]);
    const kept = await this.#renewUntil(AbortSignal.any([signal, ended.signal]));
    lost.abort();
    metrics.gauge("LeaseHeld", 0);
    if (!kept) log.warn("lost the lease", { holder, term });
    await this.#awaitEnd(ended.signal);
    await settled;
    if (kept) await this.#release();
    this.#own = undefined;
    this.#renewed = undefined;
    await leading;
  }

  /** Resolves to whether the lease was still ours when `stop` was aborted; to false when it is lost. */
  async #renewUntil(stop: AbortSignal): Promise<boolean> {
    while (!stop.aborted) {
      await this.#clock.sleep(Math.min(this.#retryMs(), this.#leftMs()), stop);
      if (stop.aborted) break;
      if (!this.held) return false;
      try {
        if (!(await this.#renew(stop))) return false;
      } catch (error) {
        // Safe: if it lasts, the renew deadline ends the term.
        if (!stop.aborted) this.#failed(error);
      }
    }
    return true;
  }

  /** Resolves to false when the lease is known to be another's. Rejects when in doubt. */
  async #renew(stop: AbortSignal): Promise<boolean> {
    if (this.#own && (await this.#write(this.#own, stop))) return true;
    const current = await this.#inTime(stop, this.#options.store.read);
    if (this.#claim(current) !== "ours") return false;
    if (this.#confirmed(current) || (await this.#write(current, stop))) return true;
    throw new Error("cannot renew the lease: expected to write it, got a failed condition");
  }

  /** Whether a read shows that our last write was carried out, whose answer we did not get. */
  #confirmed(record: LeaseRecord | undefined): boolean {
    const tried = this.#tried;
    if (!tried || record?.version !== tried.record.version) return false;
    this.#written(tried);
    return this.held;
  }

  async #write(seen: LeaseRecord | undefined, signal: AbortSignal): Promise<boolean> {
    const { holder, clusterUid, newId, store } = this.#options;
    const { durationMs } = this.#times;
    const term = seen?.holder === holder ? seen.term : Math.max(seen?.term ?? 0, this.#term) + 1;
    const record = { holder, version: newId(), durationMs, term, clusterUid };
    const tried = { record, sent: this.#moment() }; // L2: rivals may count from then.
    this.#tried = tried;
    this.#own = undefined;
    this.#named = true;
    const written = await this.#inTime(signal, () => store.write(record, seen?.version));
    if (written) this.#written(tried);
    return written;
  }

  #written({ record, sent }: Tried): void {
    this.#named = true;
    this.#claim(record);
    this.#own = record;
    this.#renewed = sent;
    this.#term = record.term;
  }

  /** L6. Bounded, for a process that stops has little time. */
  async #release(): Promise<void> {
    const { store, holder, newId, log } = this.#options;
    this.#named = false;
    const giveBack = async () => {
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const current = this.#own ?? (await store.read());
        this.#own = undefined;
        if (current?.holder !== holder) return;
        const free = { ...current, holder: "", version: newId() };
        if (await store.write(free, current.version)) return;
      }
    };
    try {
      await inTime({ clock: this.#clock, ms: this.#times.retryPeriodMs }, giveBack);
      log.info("released the lease", { holder });
    } catch (error) {
      // Safe: the lease expires.
      log.warn("could not release the lease, a standby waits until it expires", { holder, error });
    }
  }

  async #awaitEnd(ended: AbortSignal): Promise<void> {
    const { durationMs, renewDeadlineMs } = this.#times;
    // At least what a loss at the deadline leaves: a process that was frozen may stop in order, too.
    const restMs = Math.max(durationMs - this.#elapsedMs(), durationMs - renewDeadlineMs);
    await this.#clock.sleep(restMs, ended);
    if (ended.aborted) return;
    const { log, holder, exit } = this.#options;
    log.error("what led did not stop before the lease ended, so the process exits", { holder });
    exit();
  }

  #claim(record: LeaseRecord | undefined): Claim {
    const { holder, clusterUid } = this.#options;
    const nowMs = this.#clock.monotonicMs();
    const claimant = { holder, clusterUid, durationMs: this.#times.durationMs, seen: this.#seen };
    this.#seen = sight(record, claimant, nowMs);
    return claimOf(record, { ...claimant, seen: this.#seen }, nowMs);
  }

  #refuse(record: LeaseRecord | undefined): void {
    const { log, metrics, clusterUid } = this.#options;
    metrics.count("LeaseRefused");
    if (this.#refused) return;
    this.#refused = true;
    const got = record?.clusterUid;
    log.error(
      "the lease belongs to another cluster of this name, so this process never leads: give the cluster another name, or delete the lease item if that cluster is gone",
      { expected: clusterUid, got },
    );
  }

  #failed(error: unknown): void {
    const { log, metrics, holder } = this.#options;
    metrics.count("LeaseFailures");
    log.warn("cannot reach the lease", { holder, leading: this.held, error });
  }

  /** At most half the renew deadline, so that a call that hangs leaves time for another (L2). */
  #inTime<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    const mostMs = this.#times.renewDeadlineMs / 2;
    const ms = this.held ? Math.min(mostMs, this.#leftMs()) : mostMs;
    return inTime({ clock: this.#clock, ms, signal }, call);
  }

  #moment(): Moment {
    return { monotonicMs: this.#clock.monotonicMs(), wallMs: this.#clock.nowMs() };
  }

  /**
   * Since the last renewal was sent. The monotonic clock may stand still while a machine sleeps, so
   * the wall clock counts where it went further; a step back has no effect.
   */
  #elapsedMs(): number {
    if (!this.#renewed) return Number.POSITIVE_INFINITY;
    const now = this.#moment();
    return Math.max(now.monotonicMs - this.#renewed.monotonicMs, now.wallMs - this.#renewed.wallMs);
  }

  /** Until the renew deadline; whole milliseconds, so that waiting for it always gets there. */
  #leftMs(): number {
    return Math.max(0, Math.ceil(this.#times.renewDeadlineMs - this.#elapsedMs()));
  }

  #retryMs(): number {
    const { retryPeriodMs } = this.#times;
    return retryPeriodMs * (1 + RETRY_JITTER * (2 * this.#options.random() - 1));
  }

  /** Until the next look: at the moment when the lease expires, if that comes first. */
  #standbyMs(): number {
    const left = Math.ceil((this.#seen?.expiresAtMs ?? 0) - this.#clock.monotonicMs());
    return left > 0 ? Math.min(left, this.#retryMs()) : this.#retryMs();
  }
}
