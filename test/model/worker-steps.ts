import { decideEnd, type EndedRun, type RunResult } from "../../shared/queue/decide-end.ts";
import { NO_RECORD, type ObjectRecord, type RunEnd } from "../../shared/queue/record.ts";
import { endRun, startRun } from "../../shared/queue/record-transitions.ts";
import { decodeSeen } from "../../shared/queue/seen.ts";
import { acted, statusWritten } from "./acts.ts";
import { REVISION, seenOf } from "./objects.ts";
import type { Rules } from "./rules.ts";
import { IDLE, type LateRequest, type ModelState, type ModelWorker } from "./state.ts";
import { lockHolderLives, runIdOf, type Step, spent, without, withRecord } from "./steps.ts";

/** Everything that one of the workers, or somebody to it, may do next. */
export function workerSteps(rules: Rules, state: ModelState): readonly Step[] {
  return state.workers.flatMap((worker, index) => {
    const turn: Turn = { rules, state, worker, set: settingOf(state, index) };
    // Idle ones are all alike: the first of them goes.
    const first = state.workers.findIndex(({ phase }) => phase === "idle") === index;
    const steps = worker.phase === "idle" ? (first ? begins(turn) : []) : goesOn(turn);
    return steps.map(([label, next]): Step => [`worker ${index + 1} ${label}`, next]);
  });
}

export interface Turn {
  readonly rules: Rules;
  readonly state: ModelState;
  readonly worker: ModelWorker;
  readonly set: (worker: ModelWorker, state?: ModelState) => ModelState;
}

function settingOf(before: ModelState, index: number): Turn["set"] {
  return (worker, state = before) => ({
    ...state,
    workers: state.workers.map((each, at) => (at === index ? worker : each)),
  });
}

function begins({ rules, state, set }: Turn): Step[] {
  const invoked = (handles: readonly number[], triggers: readonly string[], next: ModelState) =>
    set({ ...IDLE, phase: "received", handles, triggers, runId: runIdFor(state) }, next);
  const steps: Step[] = [];
  const { messages } = state;
  const locked = messages.some(({ handle }) => handle !== undefined);
  const most = locked ? 0 : Math.min(rules.batch, messages.length);
  for (let count = 1; count <= most; count += 1) {
    const handles = unused(handlesIn(state), count);
    const received = messages.map((message, at) => {
      const handle = handles[at];
      return handle === undefined ? message : { ...message, handle };
    });
    const triggers = messages.slice(0, count).flatMap(({ trigger }) => trigger);
    const next = invoked(handles, triggers, { ...state, messages: received });
    steps.push([`receives ${count} of ${messages.length}`, next]);
  }
  const budget = spent(state, "twice");
  const other = state.workers.find(({ phase }) => phase !== "idle");
  if (budget && other) {
    const next = invoked(other.handles, other.triggers, { ...state, budget });
    steps.push(["gets the same batch once more", next]);
  }
  return steps;
}

function goesOn(turn: Turn): Step[] {
  const { worker } = turn;
  return [...dies(turn), ...STEPS[worker.phase](turn)];
}

const STEPS: { readonly [phase in ModelWorker["phase"]]: (turn: Turn) => Step[] } = {
  idle: () => [],
  received: starts,
  "read primary": readsPrimary,
  "read secondary": readsSecondary,
  act: acts,
  status: statusWritten,
  end: ends,
  acknowledge: acknowledges,
};

function dies({ rules, state, worker, set }: Turn): Step[] {
  const budget = spent(state, "workerCrash");
  if (!budget) return [];
  const steps: Step[] = [["is killed", set(IDLE, { ...state, budget })]];
  const request = requestOf(rules, worker);
  const late = request && state.budget.late > 0;
  if (late) {
    const after = { ...budget, late: budget.late - 1 };
    const next = { ...state, budget: after, late: [...state.late, request] };
    steps.push(["is killed with a request on its way", set(IDLE, next)]);
  }
  return steps;
}

/** What it may just have sent. Effects outside of the cluster, which no watch tells, are not promised. */
function requestOf(rules: Rules, worker: ModelWorker): LateRequest | undefined {
  const { phase, runId, seen, record } = worker;
  if (phase === "received") return { kind: "start", runId };
  const acts = phase === "act" && record && rules.acts !== "observes";
  return acts ? { kind: "act", seen } : undefined;
}

function starts(turn: Turn): Step[] {
  const { rules, state, worker, set } = turn;
  if (rules.dont === "epoch raised after reading")
    return [["reads before it starts", set({ ...worker, phase: "read primary" })]];
  if (rules.dont === "covered rule in the worker" && allSeen(state, worker))
    return [["finds all covered", set({ ...worker, phase: "acknowledge" })]];
  return [...startings(turn, "read primary"), ...failsToStart(turn)];
}

/** Where a start leads: the lock is taken, or another run has it. */
function startings({ rules, state, worker, set }: Turn, phase: ModelWorker["phase"]): Step[] {
  const record = state.record ?? NO_RECORD;
  const { runId } = record;
  const careless = rules.dont === "lock taken while its run lives";
  const expired = runId !== undefined && (careless || !lockHolderLives(state, runId));
  return (expired ? [0, 2] : [0]).map((nowMs): Step => {
    const start = { runId: runIdOf(worker), nowMs, runUntil: 1, reason: "manual" };
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
    reason: "manual",
  });
  const steps: Step[] = [["fails to start", set(IDLE, faulty)]];
  if (!result.started) return steps;
  // It never runs, but its lock stands until it expires.
  return [
    ...steps,
    ["starts and is told that it failed", set(IDLE, started(rules, faulty, result.record))],
  ];
}

function readsPrimary({ state, worker, set }: Turn): Step[] {
  const { primary } = state.cluster.objects;
  if (!primary) {
    const cluster = { ...state.cluster, made: "gone" };
    const next = { ...state, cluster };
    return [["finds the primary gone", set({ ...worker, phase: "end", seen: {} }, next)]];
  }
  const sightings = [
    ...worker.sightings,
    { kind: "read", name: "primary", object: primary },
  ] as const;
  const next = { ...worker, phase: "read secondary", seen: { primary }, sightings } as const;
  return [[`reads primary version ${primary.version}`, set(next)]];
}

function readsSecondary({ state, worker, set }: Turn): Step[] {
  const { secondary } = state.cluster.objects;
  const { secondary: _, ...rest } = worker.seen;
  if (!secondary) return [["finds no secondary", set({ ...worker, phase: "act", seen: rest })]];
  const sightings = [
    ...worker.sightings,
    { kind: "read", name: "secondary", object: secondary },
  ] as const;
  const seen = { ...rest, secondary };
  const next = { ...worker, phase: "act", seen, sightings } as const;
  return [[`reads secondary version ${secondary.version}`, set(next)]];
}

function acts(turn: Turn): Step[] {
  const { worker, rules } = turn;
  if (!worker.record && rules.dont === "epoch raised after reading") return startings(turn, "act");
  return [...acted(turn), ...fails(turn, "before it acts")];
}

function ends(turn: Turn): Step[] {
  const { rules, state, worker } = turn;
  if (!worker.record && rules.dont === "epoch raised after reading") return startings(turn, "end");
  const kind = worker.seen.primary ? "success" : "gone";
  const steps = writesEnd(turn, decided(turn, { kind }), kind);
  const budget = worker.seen.primary && spent(state, "requeue");
  if (budget) {
    const asks = decided(turn, { kind: "requeue_after", seconds: 5 });
    steps.push(...writesEnd({ ...turn, state: { ...state, budget } }, asks, "requeue"));
  }
  return [...steps, ...fails(turn, "after it acted")];
}

function fails(turn: Turn, when: string): Step[] {
  const { state, worker } = turn;
  if (!worker.record || !worker.seen.primary) return [];
  return (["failure", "longFailure"] as const).flatMap((what): Step[] => {
    const budget = spent(state, what);
    if (!budget) return [];
    const failed = decided(turn, { kind: "error", error: "e" }, what === "longFailure");
    return writesEnd({ ...turn, state: { ...state, budget } }, failed, `${what} ${when}`);
  });
}

/** The end that a run is about to write, and whether its first message is kept then. */
interface Decided {
  readonly end: RunEnd;
  readonly keepsFirst: boolean;
}

function decided({ rules, worker }: Turn, result: RunResult, long = false): Decided {
  const record = worker.record ?? NO_RECORD;
  const { primary } = worker.seen;
  const run: EndedRun = {
    record: long ? { ...record, failures: LONG_FAILURES } : record,
    result,
    ...(primary && { object: { uid: String(primary.uid) } }),
    receiptHandle: String(worker.handles[0]),
    revision: REVISION,
    nowMs: 0,
    seen: seenOf(rules, worker.sightings),
  };
  const { end, messages } = decideEnd(run, () => 0.5);
  const unsafe = rules.dont === "safety timer left out" && end.retryHandle !== undefined;
  return { end: unsafe ? without(end, "dueAt") : end, keepsFirst: messages.kind === "retry" };
}

/** So many failures in a row wait longer than a message can. */
const LONG_FAILURES = 9;

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

function acknowledges({ state, worker, set }: Turn): Step[] {
  const { handles, keepsFirst } = worker;
  const done = keepsFirst ? handles.slice(1) : handles;
  // A handle that is stale deletes nothing.
  const messages = state.messages.filter(
    ({ handle }) => handle === undefined || !done.includes(handle),
  );
  return [["acknowledges", set(IDLE, { ...state, messages })]];
}

function allSeen({ record }: ModelState, { triggers }: ModelWorker): boolean {
  if (!record?.seen || record.runId !== undefined || triggers.length === 0) return false;
  const seen = decodeSeen(record.seen);
  return triggers.every((trigger) => {
    const [id = "", of = ""] = trigger.split(" ");
    return seen.has(id, of);
  });
}

function handlesIn({ messages, workers, record, watchers, late }: ModelState): Set<number> {
  const inRecord = record?.retryHandle === undefined ? [] : [Number(record.retryHandle)];
  return new Set([
    ...messages.flatMap(({ handle }) => handle ?? []),
    ...workers.flatMap(({ handles }) => handles),
    ...late.map((each) => (each.kind === "end" ? Number(each.end.retryHandle ?? -1) : -1)),
    ...watchers.flatMap(({ forwarding }) => [
      forwarding?.sent?.wake ?? -1,
      Number(forwarding?.record?.retryHandle ?? -1),
    ]),
    ...inRecord,
  ]);
}

function runIdFor(state: ModelState): number {
  const taken = new Set([
    ...state.workers.filter(({ phase }) => phase !== "idle").map(runIdOf),
    ...state.late.map((late) => (late.kind === "start" ? `run ${late.runId}` : "")),
    state.record?.runId,
    ...state.watchers.map(({ forwarding }) => forwarding?.record?.runId),
  ]);
  let id = 1;
  while (taken.has(`run ${id}`)) id += 1;
  return id;
}

function unused(taken: ReadonlySet<number>, count: number): number[] {
  const found: number[] = [];
  for (let handle = 1; found.length < count; handle += 1)
    if (!taken.has(handle)) found.push(handle);
  return found;
}
