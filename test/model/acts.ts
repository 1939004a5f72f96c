import { wanted, withObject } from "./cluster.ts";
import { fails } from "./end-steps.ts";
import type { Rules } from "./rules.ts";
import { startings } from "./start-steps.ts";
import type { LateRequest, ModelObject, ModelState, ModelWorker, Objects } from "./state.ts";
import { type Step, spent } from "./steps.ts";
import { moved, type Turn } from "./turn.ts";

/** What a run makes of what it saw. */
export function acts(turn: Turn): Step[] {
  const { rules, worker } = turn;
  if (!worker.record && rules.dont === "epoch raised after reading") return startings(turn, "act");
  return [...acted(turn), ...fails(turn, "before it acts")];
}

function acted(turn: Turn): Step[] {
  const { rules, state, worker, set } = turn;
  const want = wanted(rules, worker.seen, worker.revision);
  const phase = rules.status ? "status" : "end";
  if (rules.acts === "observes")
    return [[`makes ${want}`, set({ ...worker, phase }, made(state, want))]];
  return rules.acts === "patches" ? patches(turn, want, phase) : applies(turn, want, phase);
}

type Next = "status" | "end";

/** Declares it, on condition of the version read where there was one. */
function applies(turn: Turn, want: string, phase: Next): Step[] {
  const { state, worker, set } = turn;
  const { secondary } = worker.seen;
  const now = state.cluster.objects.secondary;
  if (secondary && (now?.uid !== secondary.uid || now.version !== secondary.version)) {
    const touched = { kind: "touched", name: "secondary", uid: secondary.uid } as const;
    const again = moved(worker, "read secondary", touched);
    return [["meets a conflict on the secondary", set(again)]];
  }
  const next = made(withObject(state, "secondary", { content: want }), want);
  const object = next.cluster.objects.secondary;
  if (!object) return [];
  const uncertain = inDoubt(turn, next);
  if (secondary) {
    const wrote = { kind: "wrote", name: "secondary", object, before: secondary.version } as const;
    return [
      [`applies the secondary, ${want}`, set(moved(worker, phase, wrote), next)],
      ...uncertain,
    ];
  }
  if (now) {
    const touched = { kind: "touched", name: "secondary", uid: now.uid } as const;
    const label = `applies a secondary that somebody made meanwhile, ${want}`;
    return [[label, set(moved(worker, phase, touched), next)], ...uncertain];
  }
  const created = { kind: "wrote", name: "secondary", object } as const;
  return [
    [`creates the secondary, ${want}`, set(moved(worker, phase, created), next)],
    ...uncertain,
  ];
}

/** By hand: where it differs from what is wanted, whatever it is by now. */
function patches(turn: Turn, want: string, phase: Next): Step[] {
  const { state, worker, set } = turn;
  const { secondary } = worker.seen;
  if (secondary?.content === want)
    return [["finds the secondary as wanted", set({ ...worker, phase }, made(state, want))]];
  const next = made(withObject(state, "secondary", { content: want }), want);
  const uid = next.cluster.objects.secondary?.uid ?? 0;
  const touched = moved(worker, phase, { kind: "touched", name: "secondary", uid });
  return [[`patches the secondary, ${want}`, set(touched, next)], ...inDoubt(turn, next)];
}

/** The call fails: it did not happen, or it did, or it is yet to happen. The run notes nothing of it. */
function inDoubt({ state, worker, set }: Turn, written: ModelState): Step[] {
  const budget = spent(state, "fault");
  if (!budget) return [];
  const failed = { ...worker, phase: "failed" } as const;
  const steps: Step[] = [
    ["fails to write the secondary", set(failed, { ...state, budget })],
    ["writes the secondary and is told that it failed", set(failed, { ...written, budget })],
  ];
  if (budget.late === 0) return steps;
  const late = [...state.late, { kind: "act", seen: worker.seen } as const];
  const later = { ...state, budget: { ...budget, late: budget.late - 1 }, late };
  return [...steps, ["gets no answer, with its write on its way", set(failed, later)]];
}

/** Writes the status, conditional on the version that is known; a conflict reads and tries again. */
export function statusWritten(turn: Turn): Step[] {
  const { rules, state, worker, set } = turn;
  const status = wanted(rules, worker.seen, worker.revision);
  const before = known(worker);
  const now = state.cluster.objects.primary;
  if (!before || now?.uid !== before.uid)
    return [["finds the primary gone", set({ ...worker, phase: "end" })]];
  if (before.status === status)
    return [["has the status already", set({ ...worker, phase: "end" })]];
  const next = statusLanded(rules, state, { status, before });
  if (!next) {
    const read = { kind: "read", name: "primary", object: now } as const;
    return [["meets a conflict on the status and reads again", set(moved(worker, "status", read))]];
  }
  const object = next.cluster.objects.primary ?? now;
  const wrote = { kind: "wrote", name: "primary", object, before: before.version } as const;
  const steps: Step[] = [[`writes the status ${status}`, set(moved(worker, "end", wrote), next)]];
  const budget = spent(state, "fault");
  const failed = { ...worker, phase: "failed" } as const;
  if (!budget) return steps;
  return [
    ...steps,
    ["fails to write the status", set(failed, { ...state, budget })],
    ["writes the status and is told that it failed", set(failed, { ...next, budget })],
  ];
}

/** The status that a run was about to write. */
export function statusRequest(rules: Rules, worker: ModelWorker): LateRequest | undefined {
  const before = known(worker);
  const status = wanted(rules, worker.seen, worker.revision);
  return before && { kind: "status", status, before };
}

/** The state after a status was written; undefined where the version has passed. */
export function statusLanded(
  { dont }: Rules,
  state: ModelState,
  { status, before }: { readonly status: string; readonly before: ModelObject },
): ModelState | undefined {
  const now = state.cluster.objects.primary;
  if (now?.uid !== before.uid) return undefined;
  if (now.version !== before.version && dont !== "status written without its version")
    return undefined;
  return withObject(state, "primary", { status });
}

/** The primary as the run knows it last. */
function known({ sightings }: ModelWorker): ModelObject | undefined {
  const last = sightings.findLast(({ name, kind }) => name === "primary" && kind !== "touched");
  return last && "object" in last ? last.object : undefined;
}

/** A run's request that lands after its end. */
export function actedLate(rules: Rules, state: ModelState, seen: Objects): ModelState {
  const want = wanted(rules, seen, "r1");
  if (rules.acts === "observes") return made(state, want);
  const { secondary } = seen;
  const now = state.cluster.objects.secondary;
  const conditional = rules.acts === "applies" && secondary;
  if (conditional && now?.version !== secondary.version) return state;
  return withObject(state, "secondary", { content: want });
}

function made(state: ModelState, want: string): ModelState {
  return { ...state, cluster: { ...state.cluster, made: want } };
}
