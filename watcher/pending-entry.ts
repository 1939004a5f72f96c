import type { ObjectRecord } from "../shared/queue/record.ts";
import type { Timer } from "../shared/queue/record-store.ts";
import type { Reason, RequestKey } from "../shared/queue/request.ts";

/** The newest version of an object that changed, as the covered test compares it. */
interface ChangedObject {
  readonly fingerprint: string;
  readonly deleting: boolean;
}

/** What waits to be forwarded for one key. */
export interface PendingEntry {
  readonly key: RequestKey;
  readonly reason: Reason;
  /** By identity. */
  readonly objects: ReadonlyMap<string, ChangedObject>;
  /** Whether any of them was deleted: never covered. */
  readonly deleted: boolean;
  /**
   * The object began to use others: never covered. A run may have seen it before the watcher did, and
   * what became of those others since then was mapped without it.
   */
  readonly remapped?: boolean;
  /** Not covered, whatever the last run saw: backfill (judged before), resync, timers. */
  readonly always?: boolean;
  /** Sent with an id that nothing swallows: resync. */
  readonly unique?: boolean;
  /** Asked with the record as it was read: whether there is still a reason to send. */
  readonly due?: (record: ObjectRecord) => boolean;
  /** Milliseconds since 1970 at which the first of the changes was seen. */
  readonly changedAtMs?: number;
  /** How often it was put back. */
  readonly waits: number;
}

/**
 * One entry that asks for all that two of a key ask for. Of an object in both, `newer` has the
 * version. What one of them made conditional (`due`) is sent in any case: in doubt send.
 */
export function mergedEntries(older: PendingEntry, newer: PendingEntry): PendingEntry {
  const { due: _, ...rest } = older;
  const seenAtMs = [older.changedAtMs, newer.changedAtMs].filter((atMs) => atMs !== undefined);
  return {
    ...rest,
    objects: new Map([...older.objects, ...newer.objects]),
    deleted: older.deleted || newer.deleted,
    remapped: (older.remapped ?? false) || (newer.remapped ?? false),
    always: (older.always ?? false) || (newer.always ?? false),
    unique: (older.unique ?? false) || (newer.unique ?? false),
    ...(seenAtMs.length > 0 && { changedAtMs: Math.min(...seenAtMs) }),
  };
}

/**
 * Asks for a run of a key that a backfill judged by this record. A run that started after that read
 * the newest state, unless it died.
 *
 * @param rejudge Asked with the record of a run that was live then and has ended since: whether it
 *   leaves something to do.
 */
export function backfillEntry(
  key: RequestKey,
  judged: ObjectRecord,
  rejudge: (record: ObjectRecord) => boolean,
): PendingEntry {
  return {
    ...bare(key, "backfill"),
    due: (record) => {
      if (record.epoch !== judged.epoch) return record.runId !== undefined;
      return judged.runId === undefined || rejudge(record);
    },
  };
}

/** Asks for a run because a timer is due. The index lags behind: an end may have replaced or cleared it. */
export function timerEntry({ key, dueAt }: Timer): PendingEntry {
  return { ...bare(key, "timer"), due: (record) => record.dueAt === dueAt };
}

/** Asks for a run because the last one was long ago. A run since then is as good. */
export function resyncEntry(key: RequestKey, { epoch, finishedAt }: ObjectRecord): PendingEntry {
  return {
    ...bare(key, "resync"),
    unique: true,
    due: (record) => record.epoch === epoch && record.finishedAt === finishedAt,
  };
}

function bare(key: RequestKey, reason: Reason): PendingEntry {
  return { key, reason, objects: new Map(), deleted: false, always: true, waits: 0 };
}
