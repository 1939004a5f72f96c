import { acts, statusRequest, statusWritten } from "./acts.ts";
import { ends, endsFailed } from "./end-steps.ts";
import { finalizes, removesFinalizer } from "./finalize-steps.ts";
import { addsFinalizer, readsPrimary, readsSecondary } from "./read-steps.ts";
import type { Rules } from "./rules.ts";
import { starts } from "./start-steps.ts";
import { IDLE, type LateRequest, type ModelState, type ModelWorker } from "./state.ts";
import { runIdOf, type Step, spent } from "./steps.ts";
import { settingOf, type Turn } from "./turn.ts";

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

function begins({ rules, state, set }: Turn): Step[] {
  const invoked = (handles: readonly number[], triggers: readonly string[], next: ModelState) =>
    set({ ...fresh, phase: "received", handles, triggers }, next);
  const fresh = { ...IDLE, runId: runIdFor(state), revision: state.cluster.code };
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
  "add finalizer": addsFinalizer,
  "read secondary": readsSecondary,
  act: acts,
  status: statusWritten,
  finalize: finalizes,
  "remove finalizer": removesFinalizer,
  end: ends,
  failed: endsFailed,
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
  if (!record) return undefined;
  if (phase === "act" && rules.acts !== "observes") return { kind: "act", seen };
  if (phase === "status") return statusRequest(rules, worker);
  const { primary: before } = seen;
  return phase === "remove finalizer" && before ? { kind: "finalizer", before } : undefined;
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
