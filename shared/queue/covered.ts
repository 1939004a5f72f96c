import type { ObjectRecord, Outcome } from "./record.ts";
import { decodeSeen, type Seen } from "./seen.ts";

/** The newest version of an object that a watcher holds, as a covered test compares it. */
export interface WatchedObject {
  /** `identityOf` */
  readonly identity: string;
  /** `fingerprintsOf` */
  readonly fingerprint: string;
  /** It has a deletionTimestamp. */
  readonly deleting: boolean;
}

/** What changed for one key since it was last forwarded. */
interface ChangedObjects {
  readonly objects: readonly WatchedObject[];
  /** An object was deleted, told by a watch or found missing by a list. */
  readonly anyDeleted: boolean;
}

/**
 * Whether the last run saw all that changed, so that a request would run for nothing (step 3). In
 * doubt false. Only for changes: resync, timers, manual requests and redrives never ask, and nor
 * does the worker, for a request also stands for the changes whose sends it swallowed.
 */
export function coveredLive({
  record,
  entry,
  revision,
}: {
  /** Read strongly consistently after the changes; undefined: no record. */
  readonly record: ObjectRecord | undefined;
  readonly entry: ChangedObjects;
  /** Of the code that would run. */
  readonly revision: string;
}): boolean {
  const seen = seenBy(record, revision);
  if (!seen || entry.anyDeleted || entry.objects.length === 0) return false;
  return entry.objects.every((object) => saw(seen, object, record));
}

/**
 * As `coveredLive`, for a key of a backfill: nobody watched meanwhile, so the test runs both ways.
 * All that is there was seen, and all that was seen is still there. Change by change would not do: a
 * child that was deleted makes no change.
 */
export function coveredBackfill({
  record,
  cached,
  revision,
  unsynced = () => false,
}: {
  readonly record: ObjectRecord | undefined;
  /** Every object in the watcher's caches that maps to the key. */
  readonly cached: readonly WatchedObject[];
  readonly revision: string;
  /**
   * Whether an identity is of a kind whose source has not synced (`unsyncedIdentities`): it is left
   * out, for its cache says nothing. When the source syncs it has its own backfill.
   */
  readonly unsynced?: (identity: string) => boolean;
}): boolean {
  const seen = seenBy(record, revision);
  const there = cached.filter(({ identity }) => !unsynced(identity));
  if (!seen || there.length === 0 || !there.every((object) => saw(seen, object, record)))
    return false;
  const held = new Set(there.map(({ identity }) => identity));
  return [...seen.identities()].every((identity) => unsynced(identity) || held.has(identity));
}

/**
 * Whether the last run found the object gone, or outside the selection, and no other has begun since:
 * one that is live, or that died, may have read an object of that name which came and went meanwhile.
 */
export function coveredGone(record: ObjectRecord): boolean {
  const { outcome } = record;
  return (outcome === "gone" || outcome === "released") && lockFree(record);
}

/** What the last run saw, if that can stand for a run of now. */
function seenBy(record: ObjectRecord | undefined, revision: string): Seen | undefined {
  if (!record?.seen || !lockFree(record)) return undefined;
  if (record.revision !== revision || !settled(record)) return undefined;
  return decodeSeen(record.seen); // Of an overflow it has nothing, so that covers nothing.
}

/** Whether the last run ended well, or its retry is on its way. */
export function settled({ outcome, dueAt }: ObjectRecord): boolean {
  if (outcome === undefined) return false;
  return ENDED_WELL.includes(outcome) || (FAILED.includes(outcome) && dueAt !== undefined);
}

const ENDED_WELL: readonly Outcome[] = ["success", "requeue_after", "terminal_error", "given_up"];
const FAILED: readonly Outcome[] = ["error", "throttled", "conflict"];

/**
 * Equality, never order. An object marked for deletion always runs, for its finalizer may be ours;
 * but while a retry or a timer is on its way not for the echo of a status, or a finalize that fails
 * in other words each time would never wait.
 */
function saw(
  seen: Seen,
  { identity, fingerprint, deleting }: WatchedObject,
  record: ObjectRecord | undefined,
): boolean {
  return (!deleting || record?.dueAt !== undefined) && seen.has(identity, fingerprint);
}

/** No run holds it. An expired lock is not free here: its run died half done, and clocks differ. */
function lockFree({ runId }: ObjectRecord): boolean {
  return runId === undefined;
}
