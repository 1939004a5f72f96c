import type { Clock } from "../shared/clock.ts";
import { NO_RECORD, type ObjectRecord } from "../shared/queue/record.ts";
import { type ReadResult, type RecordStore, recordId } from "../shared/queue/record-store.ts";
import type { RequestKey } from "../shared/queue/request.ts";
import { changeCause, uniqueCause } from "../shared/queue/request-codec.ts";
import type { RequestQueue } from "../shared/queue/request-queue.ts";
import type { Metrics } from "../shared/telemetry/metrics.ts";
import { untilAborted } from "./bell.ts";
import { judgeEntry } from "./judge-entry.ts";
import type { PendingEntry } from "./pending-entry.ts";

/** What became of an entry. Only `sent`, `covered` and `stale` are done with. */
export type Fate =
  | { readonly kind: "sent"; readonly epoch: number }
  | { readonly kind: "covered" | "stale" }
  /** A run of the key is live, so that its request would only wait behind that run; or the key is slowed. */
  | { readonly kind: "held" }
  /** The queue did not accept it, or another call is forwarding the key. */
  | { readonly kind: "failed" | "busy" }
  /** The record could not be read, and a unique request was sent less than a minute ago. */
  | { readonly kind: "unread"; readonly againInMs: number }
  /** We lead no more. */
  | { readonly kind: "stopped" };

export interface ForwarderOptions {
  readonly controller: string;
  readonly store: Pick<RecordStore, "read">;
  readonly queue: Pick<RequestQueue, "send" | "wake">;
  readonly clock: Clock;
  /** The time of AWS, by which `runUntil` was written. */
  readonly serverNowMs: () => number;
  readonly newId: () => string;
  readonly metrics: Metrics;
  /** Whether the lease is held at this very moment. */
  readonly leading: () => boolean;
  /** Step 3, with the record as it was just read. */
  readonly covered: (entry: PendingEntry, record: ObjectRecord) => boolean;
}

/** Q9: a read is tried again for so long before a request is sent in doubt. */
const READ_PATIENCE_MS = 1_000;
const READ_PAUSE_MS = 200;

/** Q9: at most one unique request a key and minute. */
const UNIQUE_PAUSE_MS = 60_000;

/** Steps 2 to 5 of the protocol, for the keys of one controller. No key is in two calls at once. */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #inFlight = new Set<string>();
  readonly #uniqueAtMs = new Map<string, number>();

  constructor(options: ForwarderOptions) {
    this.#options = options;
  }

  busy(id: string): boolean {
    return this.#inFlight.has(id);
  }

  /**
   * Forwards entries of different keys; resolves to the fate of each, in their order. Never rejects.
   * Sends nothing once the signal is aborted.
   *
   * @param inDoubt Whether to send a request with a unique id where the record cannot be read.
   */
  async forward(
    entries: readonly PendingEntry[],
    signal: AbortSignal,
    { inDoubt }: { readonly inDoubt: boolean },
  ): Promise<readonly Fate[]> {
    const fates = new Map<PendingEntry, Fate>();
    const mine = entries.filter(({ key }) => !this.#inFlight.has(recordId(key)));
    for (const { key } of mine) this.#inFlight.add(recordId(key));
    try {
      await this.#forward(mine, fates, signal, inDoubt);
    } finally {
      for (const { key } of mine) this.#inFlight.delete(recordId(key));
    }
    const stopped = signal.aborted ? ({ kind: "stopped" } as const) : undefined;
    return entries.map((entry) => fates.get(entry) ?? stopped ?? { kind: "busy" });
  }

  async #forward(
    entries: readonly PendingEntry[],
    fates: Map<PendingEntry, Fate>,
    signal: AbortSignal,
    inDoubt: boolean,
  ): Promise<void> {
    const { leading, queue, metrics, controller } = this.#options;
    const read = await this.#read(
      entries.map(({ key }) => key),
      signal,
    );
    if (signal.aborted || !leading()) return stopAll(entries, fates);
    const unread = new Set(read.unread.map(recordId));
    this.#forgetOldDoubts();
    const sends: Send[] = [];
    for (const entry of entries) {
      const id = recordId(entry.key);
      const step = unread.has(id)
        ? this.#inDoubt(entry, inDoubt)
        : this.#judge(entry, read.records.get(id));
      if ("cause" in step) sends.push(step);
      else fates.set(entry, step);
    }
    if (sends.length === 0) return;
    const outgoing = sends.map(({ entry, cause }) => ({ request: requestOf(entry), cause }));
    const accepted = await untilAborted(queue.send(outgoing), signal);
    for (const [index, send] of sends.entries()) {
      fates.set(send.entry, this.#sent(send, accepted?.[index] ?? false));
    }
    // Step 5, after the send: a request that waits out a backoff must not hold this one up.
    for (const [index, { handle }] of sends.entries()) {
      if (handle === undefined || !accepted?.[index]) continue;
      void queue.wake(handle);
      metrics.count("RetriesWoken", { controller });
    }
  }

  /** Step 3, for a record that was read. */
  #judge(entry: PendingEntry, found: ObjectRecord | undefined): Fate | Send {
    const { serverNowMs, covered, metrics, controller } = this.#options;
    const record = found ?? NO_RECORD;
    const kind = judgeEntry(entry, record, { nowMs: serverNowMs(), covered });
    if (kind === "held") metrics.count("RequestsHeld", { controller });
    if (kind === "covered") metrics.count("RequestsCovered", { controller });
    if (kind !== "send") return { kind };
    const { epoch, retryHandle: handle } = record;
    const cause = entry.unique ? uniqueCause(this.#options.newId) : changeCause(epoch);
    return { entry, cause, epoch, ...(handle !== undefined && { handle }) };
  }

  /** Q9: in doubt send, for a superfluous run is harmless and a lost one is not. */
  #inDoubt(entry: PendingEntry, wanted: boolean): Fate | Send {
    const { clock, newId } = this.#options;
    const lastMs = this.#uniqueAtMs.get(recordId(entry.key));
    if (lastMs !== undefined)
      return { kind: "unread", againInMs: lastMs + UNIQUE_PAUSE_MS - clock.monotonicMs() };
    if (!wanted) return { kind: "unread", againInMs: READ_PATIENCE_MS };
    return { entry, cause: uniqueCause(newId), epoch: 0, doubt: true };
  }

  #forgetOldDoubts(): void {
    const oldMs = this.#options.clock.monotonicMs() - UNIQUE_PAUSE_MS;
    for (const [id, atMs] of this.#uniqueAtMs) if (atMs <= oldMs) this.#uniqueAtMs.delete(id);
  }

  #sent({ entry, epoch, doubt }: Send, accepted: boolean): Fate {
    const { metrics, controller, clock, serverNowMs } = this.#options;
    if (!accepted) return { kind: "failed" };
    if (doubt) metrics.count("RequestsInDoubt", { controller });
    if (doubt) this.#uniqueAtMs.set(recordId(entry.key), clock.monotonicMs());
    if (entry.changedAtMs !== undefined) {
      const seconds = Math.max(0, serverNowMs() - entry.changedAtMs) / 1_000;
      metrics.observe("ForwardSeconds", seconds, { controller });
    }
    return { kind: "sent", epoch };
  }

  /** Reads all, and for a second again what could not be read. A key that was not read is not absent. */
  async #read(keys: readonly RequestKey[], signal: AbortSignal): Promise<ReadResult> {
    const { store, clock, metrics, controller } = this.#options;
    const untilMs = clock.monotonicMs() + READ_PATIENCE_MS;
    const records = new Map<string, ObjectRecord>();
    let unread = keys;
    while (unread.length > 0 && !signal.aborted) {
      const tried = unread;
      const answer = await untilAborted(
        store.read(tried).catch((): ReadResult => ({ records: new Map(), unread: tried })),
        signal,
      );
      for (const [id, record] of answer?.records ?? []) records.set(id, record);
      unread = answer?.unread ?? tried;
      if (unread.length === 0 || clock.monotonicMs() >= untilMs) break;
      metrics.count("ReadFailures", { controller });
      await clock.sleep(READ_PAUSE_MS, signal);
    }
    return { records, unread };
  }
}

interface Send {
  readonly entry: PendingEntry;
  readonly cause: string;
  readonly epoch: number;
  readonly handle?: string;
  readonly doubt?: boolean;
}

function requestOf({ key, reason, changedAtMs }: PendingEntry) {
  return { ...key, reason, ...(changedAtMs !== undefined && { changedAtMs }) };
}

function stopAll(entries: readonly PendingEntry[], fates: Map<PendingEntry, Fate>): void {
  for (const entry of entries) fates.set(entry, { kind: "stopped" });
}
