import type { Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";
import { NO_RECORD, type ObjectRecord } from "../shared/queue/record.ts";
import { type RecordStore, recordId } from "../shared/queue/record-store.ts";
import type { RequestKey } from "../shared/queue/request.ts";
import type { Metrics } from "../shared/telemetry/metrics.ts";
import { untilAborted } from "./bell.ts";
import type { Forwarder } from "./forwarder.ts";
import { mergedEntries, type PendingEntry } from "./pending-entry.ts";
import { FAILED_RUNS, JUDGED_RUNS, type RevisionGuard, runFailed } from "./revision-guard.ts";

export interface SlowLaneOptions {
  readonly controller: string;
  readonly forwarder: Pick<Forwarder, "forward">;
  readonly store: Pick<RecordStore, "read">;
  readonly clock: Clock;
  readonly serverNowMs: () => number;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Requests that may wait for their run: 2 x maxConcurrentReconciles. */
  readonly mostUnstarted: number;
  /** Sent each second, whatever waits: no stuck record may stop the lane. */
  readonly batchSize: number;
}

/** A request that is in no hurry. */
export interface SlowRequest {
  readonly entry: PendingEntry;
  /** Judges the run, where the request is made for a new revision. */
  readonly guard?: RevisionGuard;
}

interface Sent {
  readonly key: RequestKey;
  readonly epoch: number;
  readonly sentAtMs: number;
  readonly guard?: RevisionGuard;
  started: boolean;
}

const TICK_MS = 1_000;

/** A request that has not started for so long holds up no other any more. */
const GIVE_UP_MS = 900_000;

/** BatchGetItem reads 100. */
const READ_KEYS = 100;

/** Sends requests no faster than their runs start, so that live changes never wait behind them. */
export class SlowLane {
  readonly #options: SlowLaneOptions;
  readonly #waiting = new Map<string, SlowRequest>();
  readonly #sent = new Map<string, Sent>();

  constructor(options: SlowLaneOptions) {
    this.#options = options;
  }

  /** Requests that wait here, and those sent whose run has not started. */
  get size(): number {
    return this.#waiting.size + this.#unstarted();
  }

  /** Adds a request. One of its key that waits asks with it: that was judged by an older record. */
  add(request: SlowRequest): void {
    const id = recordId(request.entry.key);
    const waiting = this.#waiting.get(id);
    this.#waiting.set(id, waiting ? joined(waiting, request) : request);
  }

  /** Sends until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#follow(signal);
      this.#dropTripped();
      if (this.#waiting.size > 0) await this.#send(signal);
      const { metrics, controller } = this.#options;
      metrics.gauge("SlowRequests", this.#waiting.size, { controller });
      await this.#options.clock.sleep(TICK_MS, signal);
    }
  }

  async #send(signal: AbortSignal): Promise<void> {
    const { mostUnstarted, batchSize, forwarder, clock } = this.#options;
    const room = Math.max(batchSize, mostUnstarted - this.#unstarted());
    const batch = [...this.#waiting.values()].slice(0, room);
    for (const { entry } of batch) this.#waiting.delete(recordId(entry.key));
    const entries = batch.map(({ entry }) => entry);
    const fates = await forwarder.forward(entries, signal, { inDoubt: false });
    for (const [index, request] of batch.entries()) {
      const fate = fates[index];
      const { key } = request.entry;
      if (fate?.kind === "covered" || fate?.kind === "stale") continue;
      if (fate?.kind !== "sent") this.#putBack(request);
      else {
        const { guard } = request;
        const sentAtMs = clock.monotonicMs();
        const sent = { key, epoch: fate.epoch, sentAtMs, started: false, ...(guard && { guard }) };
        this.#sent.set(recordId(key), sent);
      }
    }
  }

  /** What came meanwhile is newer. */
  #putBack(request: SlowRequest): void {
    const id = recordId(request.entry.key);
    const newer = this.#waiting.get(id);
    this.#waiting.set(id, newer ? joined(request, newer) : request);
  }

  /** Looks at the records of what was sent: which runs started, and how those of a guard ended. */
  async #follow(signal: AbortSignal): Promise<void> {
    const keys = [...this.#sent.values()].map(({ key }) => key);
    for (let at = 0; at < keys.length && !signal.aborted; at += READ_KEYS) {
      const { store } = this.#options;
      const read = store.read(keys.slice(at, at + READ_KEYS)).catch(() => undefined);
      const answer = await untilAborted(read, signal);
      if (!answer) return; // The next second asks again.
      // One that was not read has not started as far as is known, like one without a record.
      for (const key of keys.slice(at, at + READ_KEYS)) {
        const id = recordId(key);
        this.#judge(id, answer.records.get(id) ?? NO_RECORD);
      }
    }
  }

  #judge(id: string, record: ObjectRecord): void {
    const sent = this.#sent.get(id);
    if (!sent) return;
    const { clock, serverNowMs } = this.#options;
    sent.started ||= record.epoch > sent.epoch;
    const old = clock.monotonicMs() - sent.sentAtMs >= GIVE_UP_MS;
    const failed = runFailed(record, { epoch: sent.epoch, nowMs: serverNowMs() });
    const ended = failed !== undefined;
    if (ended) this.#note(failed, sent.guard);
    if (ended || old || (sent.started && !sent.guard)) this.#sent.delete(id);
  }

  #note(failed: boolean, guard: RevisionGuard | undefined): void {
    if (!guard || guard.tripped) return;
    guard.note(failed);
    if (!guard.tripped) return;
    const { log, metrics, controller } = this.#options;
    metrics.gauge("RevisionStopped", 1, { controller });
    log.error(
      `${FAILED_RUNS} of the first ${JUDGED_RUNS} runs of a new revision failed, so its backfill is stopped: deploy a repaired one, or the former`,
      { controller, revision: guard.revision },
    );
  }

  #dropTripped(): void {
    for (const [id, { guard }] of this.#waiting) if (guard?.tripped) this.#waiting.delete(id);
  }

  #unstarted(): number {
    let count = 0;
    for (const { started } of this.#sent.values()) if (!started) count += 1;
    return count;
  }
}

/**
 * One request for two of a key. Conditions of both stay, and either is enough. What a change asks for,
 * too, goes in any case: also where a revision is stopped.
 */
function joined(older: SlowRequest, newer: SlowRequest): SlowRequest {
  const entry = mergedEntries(older.entry, newer.entry);
  const [first, second] = [older.entry.due, newer.entry.due];
  if (!first || !second) return { entry };
  const guard = newer.guard ?? older.guard;
  const due = (record: ObjectRecord) => first(record) || second(record);
  return { entry: { ...entry, due }, ...(guard && { guard }) };
}
