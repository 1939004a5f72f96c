import { MAX_RECEIVE_COUNT } from "../api/mapping.ts";
import {
  conflictDelayMs,
  failureDelayMs,
  SAFETY_TIMER_MS,
  throttledDelayMs,
  VISIBILITY_LIMIT_MS,
} from "./backoff.ts";
import { boundedText } from "./bounded-text.ts";
import type { ObjectRecord, Outcome, RunEnd } from "./record.ts";
import { selfWakesAfter } from "./self-wakes.ts";

/** How a run went, as the worker tells it. `error` is for people; it holds no object content. */
export type RunResult =
  | { readonly kind: "success" }
  | { readonly kind: "requeue_after"; readonly seconds: number }
  /** A TerminalError. */
  | { readonly kind: "terminal"; readonly error: string }
  /** Threw, or ran out of time. */
  | { readonly kind: "error"; readonly error: string }
  /** A 403: as an error. */
  | { readonly kind: "forbidden"; readonly error: string }
  /** A 429 or 503 of the API server, which may name a delay. */
  | { readonly kind: "throttled"; readonly error: string; readonly retryAfterMs?: number }
  /** 409 again and again on the object, its status or its finalizer. */
  | { readonly kind: "conflict"; readonly error: string }
  | { readonly kind: "namespace_terminating" }
  /** The object is not there. */
  | { readonly kind: "gone" }
  /** The object is outside the controller's namespaces or selectors, with nothing of ours to finalize. */
  | { readonly kind: "released" };

export interface EndedRun {
  /** As its start left it. */
  readonly record: ObjectRecord;
  readonly result: RunResult;
  /** The object that the run read; undefined where it got none. */
  readonly object?: { readonly uid: string; readonly generation?: number | undefined } | undefined;
  /** Receipt handle of the group's first message, which waits out a short backoff. */
  readonly receiptHandle: string;
  /** How often that message was received; default once. */
  readonly receives?: number;
  readonly revision: string;
  readonly nowMs: number;
  /** `SeenBuilder.encode()`; undefined: nothing can be said. */
  readonly seen?: Uint8Array | undefined;
  /** `encodeApplied()`; kept only of a run that ended well. */
  readonly applied?: Uint8Array | undefined;
  readonly maxAttempts?: number | undefined;
  /** It wrote something, not declaratively, whose echo wakes the key. */
  readonly wakesItself?: boolean;
}

/** What becomes of the messages of the group, after the end was written (Q6). */
export type Acknowledgement =
  | { readonly kind: "acknowledge" }
  /** The first message comes back after this time and is reported failed; the rest is acknowledged (Q7). */
  | { readonly kind: "retry"; readonly visibilitySeconds: number }
  /** Put the request into the dead-letter queue with the error, then acknowledge all. */
  | { readonly kind: "dead_letter"; readonly error: string };

export interface EndDecision {
  readonly end: RunEnd;
  readonly messages: Acknowledgement;
}

/** Decides how a run ends: what its record says afterwards, and what becomes of its messages. */
export function decideEnd(run: EndedRun, random: () => number): EndDecision {
  const { end, messages } = decide(run, random);
  const { record, nowMs, wakesItself = false } = run;
  const selfWakes = selfWakesAfter(record, { wakesItself, anew: anew(run), nowMs }, random);
  return { end: { ...end, ...selfWakes }, messages };
}

function decide(run: EndedRun, random: () => number): EndDecision {
  const { result } = run;
  switch (result.kind) {
    case "success":
    case "namespace_terminating":
      return well(run, "success");
    case "requeue_after":
      return well(run, "requeue_after", run.nowMs + Math.ceil(result.seconds * 1_000));
    case "gone":
    case "released":
      return left(run, result.kind);
    case "terminal":
      return acknowledged(run, {
        outcome: "terminal_error",
        failures: failuresBefore(run),
        error: boundedText(result.error, ERROR_BYTES),
      });
    case "throttled": {
      const postponed = postponedBy(run);
      const delayMs = throttledDelayMs({ postponed, retryAfterMs: result.retryAfterMs }, random);
      return postpone(run, { outcome: "throttled", error: result.error, delayMs });
    }
    case "conflict":
      return postpone(run, {
        outcome: "conflict",
        error: result.error,
        delayMs: conflictDelayMs(postponedBy(run), random),
      });
    case "error":
    case "forbidden":
      return failed(run, result.error, random);
  }
}

/** The error's text in a record: it must stay under 1 KB. */
const ERROR_BYTES = 256;

/** Q10: the queue's retention (14 days) and a day. */
const RECORD_OF_GONE_SECONDS = 15 * 86_400;

function well(run: EndedRun, outcome: Outcome, dueAt?: number): EndDecision {
  const { applied } = run;
  return acknowledged(run, {
    outcome,
    failures: 0,
    ...(dueAt === undefined ? {} : { dueAt }),
    ...(applied ? { applied } : {}),
  });
}

function left(run: EndedRun, outcome: "gone" | "released"): EndDecision {
  const expiresAt = Math.ceil(run.nowMs / 1_000) + RECORD_OF_GONE_SECONDS;
  return acknowledged({ ...run, seen: undefined }, { outcome, failures: 0, expiresAt });
}

/**
 * One that failed so often before its backoff grew waits by timer: an object that is changed again
 * and again begins anew each time, and the queue would give its message up.
 */
const MOST_RECEIVES = MAX_RECEIVE_COUNT / 2;

/** Not the object's fault: no failure is counted, and no message spends a receive on it. */
function postpone(
  run: EndedRun,
  { outcome, error, delayMs }: { outcome: Outcome; error: string; delayMs: number },
): EndDecision {
  return acknowledged(run, {
    outcome,
    error: boundedText(error, ERROR_BYTES),
    failures: failuresBefore(run),
    postponed: postponedBy(run),
    dueAt: run.nowMs + Math.ceil(delayMs),
  });
}

function failed(run: EndedRun, text: string, random: () => number): EndDecision {
  const failures = failuresNow(run);
  const error = boundedText(text, ERROR_BYTES);
  if (failures >= (run.maxAttempts ?? Number.POSITIVE_INFINITY)) {
    const { end } = acknowledged(run, { outcome: "given_up", error, failures });
    return { end, messages: { kind: "dead_letter", error } };
  }
  const delayMs = failureDelayMs(failures, random);
  const fields = { outcome: "error", error, failures } as const;
  if (delayMs > VISIBILITY_LIMIT_MS || (run.receives ?? 1) >= MOST_RECEIVES) {
    return acknowledged(run, { ...fields, dueAt: run.nowMs + delayMs });
  }
  const { end } = acknowledged(run, {
    ...fields,
    dueAt: run.nowMs + delayMs + SAFETY_TIMER_MS, // Q8: should the message be lost.
    retryHandle: run.receiptHandle,
  });
  return { end, messages: { kind: "retry", visibilitySeconds: Math.ceil(delayMs / 1_000) } };
}

type Decided = Omit<RunEnd, "epoch" | "finishedAt" | "revision" | "uid" | "generation" | "seen">;

function acknowledged(run: EndedRun, decided: Decided): EndDecision {
  const { record, revision, nowMs, seen } = run;
  const { uid, generation } = run.object ?? record;
  const end: RunEnd = {
    epoch: record.epoch,
    ...decided,
    finishedAt: nowMs,
    revision,
    ...(uid === undefined ? {} : { uid }),
    ...(generation === undefined ? {} : { generation }),
    ...(seen ? { seen } : {}),
  };
  return { end, messages: { kind: "acknowledge" } };
}

/** Failed runs in a row, this one included: its start counted it already. */
function failuresNow(run: EndedRun): number {
  return anew(run) ? 1 : run.record.failures;
}

/** Failed runs in a row without this one. */
function failuresBefore(run: EndedRun): number {
  return anew(run) ? 0 : Math.max(0, run.record.failures - 1);
}

function postponedBy({ record }: EndedRun): number {
  return (record.postponed ?? 0) + 1;
}

/** Whether the earlier failures were another object's, or another spec's (B12). */
function anew({ record, object }: EndedRun): boolean {
  if (!object || record.uid === undefined) return false;
  return object.uid !== record.uid || object.generation !== record.generation;
}
