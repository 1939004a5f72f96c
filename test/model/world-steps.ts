import { NO_RECORD } from "../../shared/queue/record.ts";
import { startRun } from "../../shared/queue/record-transitions.ts";
import { actedLate, statusLanded } from "./acts.ts";
import { flipped, withObject, withoutFinalizer, withoutObject } from "./cluster.ts";
import { ending } from "./end-steps.ts";
import type { Rules } from "./rules.ts";
import { reasonOf, started } from "./start-steps.ts";
import { DRIFTED, type LateRequest, type ModelState, NAMES, type Name } from "./state.ts";
import { relevantWindow, type Step, spent, without } from "./steps.ts";

/** What users, the queue, and requests still on their way may do next. */
export function worldSteps(rules: Rules, state: ModelState): readonly Step[] {
  return [
    ...NAMES.flatMap((name) => userChanges(rules, state, name)),
    ...referenceChanges(state),
    ...deploys(state),
    ...drifts(state),
    ...expiries(state),
    ...windowEnds(state),
    ...lateRequests(rules, state),
    ...recordExpires(state),
  ];
}

function userChanges({ finalizer }: Rules, state: ModelState, name: Name): Step[] {
  const budget = spent(state, name);
  if (!budget) return [];
  const next = { ...state, budget };
  const object = state.cluster.objects[name];
  if (!object) return [[`a user creates the ${name}`, withObject(next, name, { content: "a" })]];
  const content = flipped(object.content);
  const changes: Step[] = [
    [`a user changes the ${name} to ${content}`, withObject(next, name, { content })],
  ];
  if (finalizer && object.deleting) return changes;
  if (!finalizer || !object.finalizer)
    return [...changes, [`a user deletes the ${name}`, withoutObject(next, name)]];
  const marked = withObject(next, name, { deleting: true });
  return [...changes, [`a user deletes the ${name}, which is marked`, marked]];
}

function referenceChanges(state: ModelState): Step[] {
  const budget = spent(state, "uses");
  const { primary } = state.cluster.objects;
  if (!budget || !primary) return [];
  const uses = !primary.uses;
  const next = withObject({ ...state, budget }, "primary", { uses });
  return [[`the primary ${uses ? "begins" : "ceases"} to use the secondary`, next]];
}

/** First the functions, then the revision that watchers read. */
function deploys(state: ModelState): Step[] {
  const { cluster } = state;
  const { code, revision } = cluster;
  const budget = spent(state, "deploy");
  if (code !== revision) {
    const written = { ...state, cluster: { ...cluster, revision: code } };
    return [["the deploy writes its revision", written]];
  }
  if (!budget || code === "r2") return [];
  const functions = { ...state, budget, cluster: { ...cluster, code: "r2" as const } };
  return [["the deploy gives the functions their new code", functions]];
}

/** What was made outside of the cluster, and nobody watches. */
function drifts(state: ModelState): Step[] {
  const { made } = state.cluster;
  const budget = spent(state, "drift");
  if (!budget || made === "gone") return [];
  const cluster = { ...state.cluster, made: DRIFTED };
  return [["what was made drifts", { ...state, budget, cluster }]];
}

/** While an invocation lives its messages come back early only by a fault. */
function expiries(state: ModelState): Step[] {
  return state.messages.flatMap(({ handle }, at): Step[] => {
    if (handle === undefined) return [];
    const held = state.workers.some(({ handles }) => handles.includes(handle));
    const budget = held ? spent(state, "expiry") : state.budget;
    if (!budget) return [];
    const messages = state.messages.map((message, index) =>
      index === at ? without(message, "handle") : message,
    );
    return [[`message ${at + 1} is visible again`, { ...state, budget, messages }]];
  });
}

function windowEnds(state: ModelState): Step[] {
  const budget = spent(state, "window");
  if (!budget) return [];
  return relevantWindow(state).map((cause): Step => {
    const window = state.window.filter((other) => other !== cause);
    return [`the queue forgets ${cause}`, { ...state, budget, window }];
  });
}

/** Q10: after the queue's retention and a day, when nothing that was sent is left, and nothing waits that long. */
function recordExpires(state: ModelState): Step[] {
  const { record, messages, workers, late, watchers } = state;
  const idle =
    workers.every(({ phase }) => phase === "idle") &&
    watchers.every(
      ({ waiting, lane, forwarding, backfill }) => !waiting && !lane && !forwarding && !backfill,
    );
  const budget = spent(state, "recordExpiry");
  if (!budget || record?.expiresAt === undefined || !idle) return [];
  if (messages.length > 0 || late.length > 0) return [];
  return [["the record expires", { ...without(state, "record", "before"), budget, window: [] }]];
}

function lateRequests(rules: Rules, state: ModelState): Step[] {
  return state.late.map((request, at): Step => {
    const late = state.late.filter((_, index) => index !== at);
    return [`a late ${request.kind} arrives`, landed(rules, { ...state, late }, request)];
  });
}

function landed(rules: Rules, state: ModelState, request: LateRequest): ModelState {
  switch (request.kind) {
    case "start": {
      const start = {
        runId: `run ${request.runId}`,
        nowMs: 0,
        runUntil: 1,
        reason: reasonOf(rules),
      };
      const result = startRun(state.record ?? NO_RECORD, start);
      return result.started ? started(rules, state, result.record) : state;
    }
    case "end":
      return ending(rules, state, request.end).next;
    case "act":
      return actedLate(rules, state, request.seen);
    case "status":
      return landedStatus(rules, state, request);
    case "finalizer":
      return withoutFinalizer(state, request.before) ?? state;
  }
}

/** On the very version that it was decided by nothing tells it from one that came in time. */
function landedStatus(
  rules: Rules,
  state: ModelState,
  request: Extract<LateRequest, { kind: "status" }>,
): ModelState {
  const next = statusLanded(rules, state, request);
  if (!next) return state;
  const lateStatus = state.cluster.objects.primary?.version === request.before.version;
  return { ...next, cluster: { ...next.cluster, lateStatus } };
}
