import type { ObjectRecord, RunEnd, RunStart } from "./record.ts";
import type { StartResult } from "./record-store.ts";

/** An end that was written, or came too late. */
interface EndResult {
  readonly ended: boolean;
  readonly record: ObjectRecord;
}

/**
 * What a start does to a record: exactly the write of the DynamoDB store, which every store must
 * equal. It raises the epoch (Q2), takes the lock if that is free or expired (Q4), counts a failure
 * until the end says otherwise, removes `retryHandle` and `expiresAt`, and keeps the timer (Q8).
 *
 * A start that finds its own lock is the SDK's repetition of one whose answer was lost. It is
 * started and changes nothing: raised again the epoch would do no harm, but `failures` would count
 * a run that never was. Whether the first attempt met a crashed run is then not known; `crashed` is
 * false.
 */
export function startRun(record: ObjectRecord, start: RunStart): StartResult {
  if (record.runId === start.runId) return { started: true, record, crashed: false };
  if (!lockAvailable(record, start.nowMs)) {
    return { started: false, runUntil: record.runUntil ?? start.nowMs };
  }
  const { retryHandle: _retryHandle, expiresAt: _expiresAt, ...kept } = record;
  return {
    started: true,
    crashed: record.runId !== undefined,
    record: {
      ...kept,
      epoch: record.epoch + 1,
      failures: record.failures + 1,
      runId: start.runId,
      runUntil: start.runUntil,
      startedAt: start.nowMs,
      reason: start.reason,
    },
  };
}

/**
 * What an end does to a record (Q5). Every field of `RunEnd` is replaced or removed, the lock is
 * released, `startedAt` and `reason` stay. An end whose run has ended already is the repetition of
 * one whose answer was lost: it is true and changes nothing, so that a timer cleared in between
 * stays cleared.
 */
export function endRun(record: ObjectRecord, end: RunEnd): EndResult {
  if (!ownsRecord(record, end)) return { ended: false, record };
  if (record.runId === undefined) return { ended: true, record };
  const { startedAt, reason } = record;
  return {
    ended: true,
    record: {
      ...defined(end),
      ...(startedAt === undefined ? {} : { startedAt }),
      ...(reason === undefined ? {} : { reason }),
    },
  };
}

/** Removes a timer on condition that neither a newer end nor a start came in between (Q10). */
export function clearTimer(
  record: ObjectRecord,
  timer: { dueAt: number; epoch: number },
): { readonly cleared: boolean; readonly record: ObjectRecord } {
  if (!timerUnchanged(record, timer)) return { cleared: false, record };
  const { dueAt: _dueAt, ...rest } = record;
  return { cleared: true, record: rest };
}

function defined(end: RunEnd): RunEnd {
  return Object.fromEntries(
    Object.entries(end).filter(([, value]) => value !== undefined),
  ) as unknown as RunEnd;
}

/** Whether a start may take the lock: it is free, or its run is past the moment it can live to (Q4). */
function lockAvailable({ runId, runUntil = 0 }: ObjectRecord, nowMs: number): boolean {
  return runId === undefined || runUntil < nowMs;
}

/** Whether no later run has started: each start raises the epoch, so an epoch is one run (Q5). */
function ownsRecord(record: ObjectRecord, { epoch }: Pick<RunEnd, "epoch">): boolean {
  return record.epoch === epoch && epoch > 0;
}

/** `dueAt` alone is not enough: a reconciler that waits until an instant asks for the same one again. */
function timerUnchanged(record: ObjectRecord, timer: { dueAt: number; epoch: number }): boolean {
  return record.dueAt === timer.dueAt && record.epoch === timer.epoch;
}
