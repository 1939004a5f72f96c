import { decideEnd, type EndedRun, type RunResult } from "../../shared/queue/decide-end.ts";
import { NO_RECORD, type RunEnd } from "../../shared/queue/record.ts";
import { endRun } from "../../shared/queue/record-transitions.ts";
import { SELF_WAKE_LIMIT } from "../../shared/queue/self-wakes.ts";
import { seenOf } from "./objects.ts";
import type { Rules } from "./rules.ts";
import { startings } from "./start-steps.ts";
import { IDLE, type ModelState } from "./state.ts";
import { type Step, spent, without, withRecord } from "./steps.ts";
import type { Turn } from "./turn.ts";

/** Q5: the end of a run. */
export function ends(turn: Turn): Step[] {
  const { rules, state, worker } = turn;
  if (!worker.record && rules.dont === "epoch raised after reading") return startings(turn, "end");
  const kind = worker.seen.primary ? "success" : "gone";
  const steps = writesEnd(turn, decided(turn, { kind }), kind);
  const budget = worker.seen.primary && spent(state, "requeue");
  if (budget) {
    const asks = decided(turn, { kind: "requeue_after", seconds: 5 });
    steps.push(...writesEnd({ ...turn, state: { ...state, budget } }, asks, "requeue"));
  }
  const patience = worker.seen.primary && spent(state, "held");
  if (patience) {
    const slowed = { ...turn, state: { ...state, budget: patience } };
    steps.push(...writesEnd(slowed, decided(turn, { kind }, "held"), "success, and is slowed"));
  }
  return [...steps, ...fails(turn, "after it acted")];
}

/** A call failed, and so does the run. */
export function endsFailed(turn: Turn): Step[] {
  return writesEnd(turn, decided(turn, { kind: "error", error: "e" }), "a call failed");
}

export function fails(turn: Turn, when: string): Step[] {
  const { state, worker } = turn;
  if (!worker.record || !worker.seen.primary) return [];
  return (["failure", "longFailure"] as const).flatMap((what): Step[] => {
    const budget = spent(state, what);
    if (!budget) return [];
    const failed = decided(
      turn,
      { kind: "error", error: "e" },
      what === "longFailure" ? "long" : undefined,
    );
    return writesEnd({ ...turn, state: { ...state, budget } }, failed, `${what} ${when}`);
  });
}

/** The end that a run is about to write, and whether its first message is kept then. */
interface Decided {
  readonly end: RunEnd;
  readonly keepsFirst: boolean;
}

function decided({ rules, worker }: Turn, result: RunResult, how?: "long" | "held"): Decided {
  const record = { ...(worker.record ?? NO_RECORD), ...(how && COUNTS[how]) };
  const { primary } = worker.seen;
  const run: EndedRun = {
    record,
    wakesItself: how === "held",
    result,
    ...(primary && { object: { uid: String(primary.uid) } }),
    receiptHandle: String(worker.handles[0]),
    revision: worker.revision,
    nowMs: 0,
    seen: seenOf(rules, worker.sightings),
  };
  const { end, messages } = decideEnd(run, () => 0.5);
  const unsafe = rules.dont === "safety timer left out" && end.retryHandle !== undefined;
  const told = { ...(unsafe ? without(end, "dueAt") : end), finishedAt: record.epoch };
  return { end: told, keepsFirst: messages.kind === "retry" };
}

/**
 * What would take many runs to count: so many failures in a row wait longer than a message can, and
 * a key that woke itself so often is made to wait.
 */
const COUNTS = { long: { failures: 9 }, held: { selfWakes: SELF_WAKE_LIMIT } } as const;

function writesEnd(turn: Turn, { end, keepsFirst }: Decided, how: string): Step[] {
  const { rules, state, worker, set } = turn;
  const { ended, next } = ending(rules, state, end);
  const after = { ...worker, phase: "acknowledge", keepsFirst } as const;
  const steps: Step[] = ended
    ? [[`writes its end: ${how}`, set(after, next)]]
    : [["finds its record taken over", set(IDLE)]];
  const dead = spent(state, "workerCrash");
  if (dead && state.budget.late > 0) {
    const budget = { ...dead, late: state.budget.late - 1 };
    const late = [...state.late, { kind: "end", end } as const];
    steps.push([
      `is killed with its end on its way: ${how}`,
      set(IDLE, { ...state, budget, late }),
    ]);
  }
  const budget = spent(state, "fault");
  if (!budget) return steps;
  steps.push(["fails to write its end", set(IDLE, { ...state, budget })]);
  if (ended)
    steps.push(["writes its end and is told that it failed", set(IDLE, { ...next, budget })]);
  return steps;
}

/** The state once an end was written, or came too late. */
export function ending(rules: Rules, state: ModelState, end: RunEnd) {
  const { ended, record } = endRun(state.record ?? NO_RECORD, end);
  if (!ended || record === state.record) return { ended, next: state };
  const owed = end.dueAt !== undefined || end.retryHandle !== undefined;
  return {
    ended,
    next: { ...withRecord(rules, state, record), cluster: { ...state.cluster, owed } },
  };
}
