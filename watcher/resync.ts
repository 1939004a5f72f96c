import type { Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";
import { coveredGone } from "../shared/queue/covered.ts";
import { digest } from "../shared/queue/digest.ts";
import type { ObjectRecord } from "../shared/queue/record.ts";
import { type RecordStore, recordId } from "../shared/queue/record-store.ts";
import type { RequestKey } from "../shared/queue/request.ts";
import { type Outage, outage } from "./outage.ts";
import { resyncEntry } from "./pending-entry.ts";
import type { SlowLane } from "./slow-lane.ts";
import { visitRecords } from "./visit-records.ts";

export interface ResyncOptions {
  readonly cluster: string;
  readonly controller: string;
  readonly resyncSeconds: number;
  readonly store: Pick<RecordStore, "list">;
  readonly lane: Pick<SlowLane, "add">;
  readonly clock: Clock;
  readonly serverNowMs: () => number;
  readonly log: Logger;
}

/** The records are looked through so often in a period, at most every 15 minutes: a look reads them all. */
const LOOKS = 40;
const LOOK_MS = { least: 1_000, most: 900_000 };

/** A period is stretched or shortened by up to so much, so that objects made together part. */
const SPREAD = 0.1;

/**
 * Reconciles each key again when `resyncSeconds` have passed since its last run, whoever led
 * meanwhile. It answers drift outside the cluster, and whatever the rest of the protocol got wrong.
 */
export class Resync {
  readonly #options: ResyncOptions;
  readonly #outage: Outage;
  /** When a key was asked for that has not run since; by `recordId`. */
  #asked: ReadonlyMap<string, number> = new Map();

  constructor(options: ResyncOptions) {
    this.#options = options;
    this.#outage = outage({ what: `resync of ${options.controller}`, ...options });
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, resyncSeconds } = this.#options;
    const lookMs = (resyncSeconds * 1_000) / LOOKS;
    while (!signal.aborted) {
      await clock.sleep(Math.min(LOOK_MS.most, Math.max(LOOK_MS.least, lookMs)), signal);
      try {
        await this.#look(signal);
        this.#outage.over();
      } catch (error) {
        // Safe: the next look sees the same records.
        if (!signal.aborted) this.#outage.failed(error);
      }
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { lane, serverNowMs, resyncSeconds } = this.#options;
    const asked = new Map<string, number>();
    const visit = (key: RequestKey, record: ObjectRecord) => {
      const nowMs = serverNowMs();
      if (!resyncDue(key, record, { nowMs, resyncSeconds })) return;
      // With unique ids, a function that is down for long would find every look in its queue.
      const before = this.#asked.get(recordId(key)) ?? Number.NEGATIVE_INFINITY;
      const again = nowMs - before >= resyncSeconds * 1_000;
      asked.set(recordId(key), again ? nowMs : before);
      if (again) lane.add({ entry: resyncEntry(key, record) });
    };
    if (await visitRecords(this.#options, visit, signal)) this.#asked = asked;
  }
}

/** Whether a key's period has passed. Objects that are known to be gone or released have none. */
function resyncDue(
  key: RequestKey,
  record: ObjectRecord,
  { nowMs, resyncSeconds }: { readonly nowMs: number; readonly resyncSeconds: number },
): boolean {
  const { finishedAt } = record;
  if (finishedAt === undefined || coveredGone(record)) return false;
  const { cluster, controller, namespace, name } = key;
  const part = digest(cluster, controller, namespace, name).readUInt32BE(1) / 2 ** 32;
  return nowMs >= finishedAt + resyncSeconds * 1_000 * (1 - SPREAD + 2 * SPREAD * part);
}
