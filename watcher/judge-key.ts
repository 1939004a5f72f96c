import { coveredGone } from "../shared/queue/covered.ts";
import type { ObjectRecord } from "../shared/queue/record.ts";
import type { RequestKey } from "../shared/queue/request.ts";
import { backfillEntry, type PendingEntry } from "./pending-entry.ts";

/** What a backfill says of a key: nothing to do, or why it is to run. */
export type Verdict = "covered" | "changed" | "revision" | "all";

/** What one pass looks for. */
export interface PassMode {
  /** That is deployed; undefined while none is known: then nothing is covered. */
  readonly revision: string | undefined;
  /** Requests every key: `onStart: "all"`. */
  readonly all: boolean;
  /** Looks only for keys of which it is not known that this revision ran them last. */
  readonly revisionOnly: boolean;
  /** A pass for the same revision found some before: it requested the keys of runs that died then. */
  readonly repeated: boolean;
}

/** A key as a pass sees it. */
export interface JudgedKey {
  readonly key: RequestKey;
  readonly record: ObjectRecord;
  /** A list that succeeded does not hold its object. */
  readonly gone: boolean;
  /** Objects in the caches map to it. */
  readonly mapped: boolean;
  /** Its run never ended, and its lock has expired: no code of any revision is at work on it. */
  readonly died: boolean;
  /** Whether a run that left this record saw exactly what the caches hold. */
  readonly covered: (record: ObjectRecord) => boolean;
}

/** What a backfill makes of a key. */
export function judgeKey(judged: JudgedKey, mode: PassMode): Verdict {
  const { record, gone, mapped, died, covered } = judged;
  const { revision, all, revisionOnly, repeated } = mode;
  // A child may go on naming an owner that is gone.
  if (gone && coveredGone(record)) return "covered";
  // Only a list that succeeded tells that an object is gone; one that is filtered out is not.
  if (!gone && !mapped) return "covered";
  if (all) return "all";
  const ran = record.epoch > 0;
  // One that dies of the new code is not asked for again and again.
  if (ran && revisionOnly && repeated && died) return "covered";
  if (ran && revision !== undefined && record.revision !== revision) return "revision";
  // Whose code is at work on it, or died, nobody knows.
  if (ran && revisionOnly) return record.runId === undefined || repeated ? "covered" : "revision";
  return covered(record) ? "covered" : "changed";
}

/** Asks for the run of a key that is not covered. */
export function entryOf(judged: JudgedKey, verdict: Verdict): PendingEntry {
  const { key, record, gone, covered } = judged;
  // A run of this revision that was live then may have read before the last change.
  const rejudge = (now: ObjectRecord) =>
    verdict === "all" || !((gone && coveredGone(now)) || covered(now));
  return backfillEntry(key, record, rejudge);
}
