import type { ObjectRecord } from "../shared/queue/record.ts";
import type { PendingEntry } from "./pending-entry.ts";

/**
 * What is to be done with an entry whose record was read after its changes were seen: wait, because
 * a run of the key is live or the key is slowed; nothing, because there is no reason any more or the
 * last run saw all of it; or send a request.
 */
export function judgeEntry(
  entry: PendingEntry,
  record: ObjectRecord,
  {
    nowMs,
    covered,
  }: {
    /** The time of AWS, by which `runUntil` was written. */
    readonly nowMs: number;
    /** Step 3, with the record as it was just read. */
    readonly covered: (entry: PendingEntry, record: ObjectRecord) => boolean;
  },
): "held" | "stale" | "covered" | "send" {
  const { runId, runUntil = 0, heldUntil = 0 } = record;
  const running = runId !== undefined && runUntil > nowMs;
  if (running || (patient(entry) && heldUntil > nowMs)) return "held";
  if (entry.due && !entry.due(record)) return "stale";
  return !entry.always && !entry.remapped && covered(entry, record) ? "covered" : "send";
}

/** Whether a key that keeps waking itself may be made to wait: not for a deletion, nor what was asked for otherwise. */
function patient({ always = false, deleted, objects }: PendingEntry): boolean {
  return !always && !deleted && ![...objects.values()].some(({ deleting }) => deleting);
}
