import { NO_RECORD, type ObjectRecord } from "../../shared/queue/record.ts";
import { startRun } from "../../shared/queue/record-transitions.ts";
import { decodeSeen } from "../../shared/queue/seen.ts";
import type { Rules } from "./rules.ts";
import { IDLE, type ModelState, type ModelWorker } from "./state.ts";
import { lockHolderLives, runIdOf, type Step, spent, without, withRecord } from "./steps.ts";
import type { Turn } from "./turn.ts";

/** From a message to a run: the lock and the epoch. */
export function starts(turn: Turn): Step[] {
  const { rules, state, worker, set } = turn;
  if (rules.dont === "epoch raised after reading")
    return [["reads before it starts", set({ ...worker, phase: "read primary" })]];
  if (rules.dont === "covered rule in the worker" && allSeen(state, worker))
    return [["finds all covered", set({ ...worker, phase: "acknowledge" })]];
  return [...startings(turn, "read primary"), ...failsToStart(turn)];
}

/** Where a start leads: the lock is taken, or another run has it. */
export function startings(
  { rules, state, worker, set }: Turn,
  phase: ModelWorker["phase"],
): Step[] {
  const record = state.record ?? NO_RECORD;
  const { runId } = record;
  const careless = rules.dont === "lock taken while its run lives";
  const expired = runId !== undefined && (careless || !lockHolderLives(state, runId));
  return (expired ? [0, 2] : [0]).map((nowMs): Step => {
    const start = { runId: runIdOf(worker), nowMs, runUntil: 1, reason: reasonOf(rules) };
    const result = startRun(record, start);
    if (!result.started) return ["meets another run's lock", set(IDLE)];
    const next = started(rules, state, result.record);
    return ["starts", set({ ...worker, phase, record: next.record ?? NO_RECORD }, next)];
  });
}

/** The state once a start was written. */
export function started(rules: Rules, state: ModelState, written: ObjectRecord): ModelState {
  const timed =
    rules.dont === "timer cleared at the start of a run" ? without(written, "dueAt") : written;
  const record = { ...timed, startedAt: 0 };
  return withRecord(rules, state, record);
}

function failsToStart({ rules, state, worker, set }: Turn): Step[] {
  const budget = spent(state, "fault");
  if (!budget) return [];
  const faulty = { ...state, budget };
  if (rules.dont === "run after a failed start") {
    const record = state.record ?? NO_RECORD;
    return [["fails to start and runs", set({ ...worker, phase: "read primary", record }, faulty)]];
  }
  const result = startRun(state.record ?? NO_RECORD, {
    runId: runIdOf(worker),
    nowMs: 0,
    runUntil: 1,
    reason: reasonOf(rules),
  });
  const steps: Step[] = [["fails to start", set(IDLE, faulty)]];
  if (!result.started) return steps;
  // It never runs, but its lock stands until it expires.
  return [
    ...steps,
    ["starts and is told that it failed", set(IDLE, started(rules, faulty, result.record))],
  ];
}

/** Only a key that a change woke can be one that wakes itself. */
export function reasonOf({ budget }: Rules): string {
  return budget.held > 0 ? "change" : "manual";
}

function allSeen({ record }: ModelState, { triggers }: ModelWorker): boolean {
  if (!record?.seen || record.runId !== undefined || triggers.length === 0) return false;
  const seen = decodeSeen(record.seen);
  return triggers.every((trigger) => {
    const [id = "", of = ""] = trigger.split(" ");
    return seen.has(id, of);
  });
}
