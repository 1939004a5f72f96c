import { NO_RECORD } from "../../shared/queue/record.ts";
import { startRun } from "../../shared/queue/record-transitions.ts";
import { actedLate } from "./acts.ts";
import { flipped, withObject } from "./cluster.ts";
import type { Rules } from "./rules.ts";
import { type LateRequest, type ModelState, NAMES, type Name } from "./state.ts";
import { relevantWindow, type Step, spent, without } from "./steps.ts";
import { ending, started } from "./worker-steps.ts";

/** What users, the queue, and requests still on their way may do next. */
export function worldSteps(rules: Rules, state: ModelState): readonly Step[] {
  return [
    ...NAMES.flatMap((name) => userChanges(state, name)),
    ...expiries(state),
    ...windowEnds(state),
    ...lateRequests(rules, state),
    ...recordExpires(state),
  ];
}

function userChanges(state: ModelState, name: Name): Step[] {
  const budget = spent(state, name);
  if (!budget) return [];
  const next = { ...state, budget };
  const object = state.cluster.objects[name];
  if (!object) return [[`a user creates the ${name}`, withObject(next, name, { content: "a" })]];
  const content = flipped(object.content);
  return [
    [`a user changes the ${name} to ${content}`, withObject(next, name, { content })],
    [`a user deletes the ${name}`, withObject(next, name, { gone: true })],
  ];
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
    watchers.every(({ waiting, forwarding, backfill }) => !waiting && !forwarding && !backfill);
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
      const start = { runId: `run ${request.runId}`, nowMs: 0, runUntil: 1, reason: "manual" };
      const result = startRun(state.record ?? NO_RECORD, start);
      return result.started ? started(rules, state, result.record) : state;
    }
    case "end":
      return ending(rules, state, request.end).next;
    case "act":
      return actedLate(state, rules.acts, request.seen);
  }
}
