import { SAFETY_TIMER_MS } from "../shared/queue/backoff.ts";
import type { ObjectRecord, Outcome } from "../shared/queue/record.ts";
import { known, type ObjectFacts } from "./operate-facts.ts";
import type { RunState } from "./operate-pause.ts";
import type { QueueCounts } from "./operate-queues.ts";
import { sightOf } from "./operate-sight.ts";
import { timestamp } from "./operate-time.ts";

/** What `status` answers of one object and one controller. Times are RFC 3339; null: there is none. */
export interface ObjectStatus {
  readonly controller: string;
  /** Whether its function takes messages; null: not known. */
  readonly state: RunState | null;
  /** Runs started for the object. */
  readonly runs: number;
  /** The run that goes on now. `until`: it is over by then, whatever happens. */
  readonly running: { readonly since: string | null; readonly until: string } | null;
  readonly last: {
    readonly outcome: Outcome | null;
    readonly reason: string | null;
    readonly error: string | null;
    readonly startedAt: string | null;
    readonly finishedAt: string | null;
    readonly revision: string | null;
  } | null;
  /** Failed runs in a row. */
  readonly failures: number;
  /** When a run that failed or was postponed is tried again. */
  readonly nextRetry: string | null;
  /** When a run comes that a result asked for (`requeueAfterSeconds`). */
  readonly nextTimer: string | null;
  /** Its changes wait until then, for it keeps waking itself. */
  readonly heldUntil: string | null;
  /** Of the code that is deployed. */
  readonly revision: string | null;
  /** "gone": not in the cluster. */
  readonly object: "there" | "deleting" | "gone" | "unknown";
  /** Whether the last run, of the deployed code, saw the object as it is now. */
  readonly upToDate: "yes" | "no" | "unknown";
  /**
   * Whether a request of it is in the queue, as far as that can be told without receiving: "retry":
   * one waits out a backoff; "no": the queue is empty.
   */
  readonly inQueue: "retry" | "no" | "unknown";
  /** Of the whole controller. */
  readonly queue: QueueCounts | null;
}

/** The status of one object, by what is known of it. */
export function statusOf(facts: ObjectFacts): ObjectStatus {
  const { controller, record, nowMs, revision } = facts;
  return {
    controller: controller.name,
    state: known(facts.runState) ?? null,
    runs: record?.epoch ?? 0,
    running: runningOf(record, nowMs),
    last: lastOf(record),
    failures: failuresOf(record),
    nextRetry: timestamp(retryAt(record)),
    nextTimer: record?.outcome === "requeue_after" ? timestamp(record.dueAt) : null,
    heldUntil: heldNow(record, nowMs) ? timestamp(record?.heldUntil) : null,
    revision: revision ?? null,
    object: objectState(facts),
    upToDate: upToDate(facts),
    inQueue: inQueue(facts),
    queue: known(facts.queue) ?? null,
  };
}

/** Whether a run goes on. */
export function runsNow(record: ObjectRecord | undefined, nowMs: number): boolean {
  return record?.runId !== undefined && (record.runUntil ?? 0) > nowMs;
}

/** When a run that ended badly is tried again, in milliseconds since 1970. */
export function retryAt(record: ObjectRecord | undefined): number | undefined {
  const { outcome, dueAt, retryHandle } = record ?? {};
  if (dueAt === undefined || outcome === "requeue_after") return undefined;
  // The timer stands behind the message that comes back first (Q8).
  return retryHandle === undefined ? dueAt : dueAt - SAFETY_TIMER_MS;
}

/** Failed runs in a row: a start counts one until its end says otherwise. */
export function failuresOf(record: ObjectRecord | undefined): number {
  if (!record) return 0;
  return record.runId === undefined ? record.failures : Math.max(0, record.failures - 1);
}

/** Whether its changes wait, since it keeps waking itself. */
export function heldNow(record: ObjectRecord | undefined, nowMs: number): boolean {
  return (record?.heldUntil ?? 0) > nowMs;
}

function runningOf(record: ObjectRecord | undefined, nowMs: number): ObjectStatus["running"] {
  if (!record || !runsNow(record, nowMs)) return null;
  return {
    since: timestamp(record.startedAt),
    until: new Date(record.runUntil ?? nowMs).toISOString(),
  };
}

function lastOf(record: ObjectRecord | undefined): ObjectStatus["last"] {
  if (!record) return null;
  const { outcome, reason, error, startedAt, finishedAt, revision } = record;
  return {
    outcome: outcome ?? null,
    reason: reason ?? null,
    error: error ?? null,
    startedAt: timestamp(startedAt),
    finishedAt: timestamp(finishedAt),
    revision: revision ?? null,
  };
}

function objectState({ object }: ObjectFacts): ObjectStatus["object"] {
  if (!("value" in object)) return "unknown";
  if (!object.value) return "gone";
  return object.value.metadata.deletionTimestamp === undefined ? "there" : "deleting";
}

function upToDate({ controller, record, object, revision }: ObjectFacts): ObjectStatus["upToDate"] {
  if (!("value" in object)) return "unknown";
  if (!object.value) return record === undefined || record.outcome === "gone" ? "yes" : "no";
  if (record?.outcome === undefined || record.revision !== revision) return "no";
  const sight = sightOf(controller, record, { kind: controller.for, object: object.value });
  return ({ same: "yes", different: "no", unknown: "unknown" } as const)[sight];
}

function inQueue({ record, queue }: ObjectFacts): ObjectStatus["inQueue"] {
  if (record?.retryHandle !== undefined) return "retry";
  const counts = known(queue);
  return counts?.waiting === 0 && counts.inFlight === 0 ? "no" : "unknown";
}
