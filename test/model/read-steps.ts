import { withObject } from "./cluster.ts";
import type { ModelObject, ModelState, ModelWorker } from "./state.ts";
import { type Step, spent } from "./steps.ts";
import { moved, type Turn } from "./turn.ts";

/** Q3: the run reads what is there now. */
export function readsPrimary(turn: Turn): Step[] {
  const { rules, state, worker, set } = turn;
  const { primary } = state.cluster.objects;
  if (!primary) return [["finds the primary gone", set(...foundGone(turn))]];
  const read = moved(worker, "read primary", { kind: "read", name: "primary", object: primary });
  const next = { ...read, seen: { primary }, phase: afterPrimary(turn, primary) };
  return [
    [`reads primary version ${primary.version}${rules.finalizer ? marks(primary) : ""}`, set(next)],
  ];
}

/** What is to be done about an object as it was read last. */
function afterPrimary({ rules }: Turn, primary: ModelObject): ModelWorker["phase"] {
  const early = rules.dont === "finalizer removed before finalize";
  if (primary.deleting) {
    if (!primary.finalizer) return "end";
    return early ? "remove finalizer" : "finalize";
  }
  if (rules.finalizer && !primary.finalizer) return "add finalizer";
  return rules.usedBy && !primary.uses ? "act" : "read secondary";
}

/** With a finalizer nothing is left to do: it was done before the object went. */
function foundGone({ rules, state, worker }: Turn): [ModelWorker, ModelState] {
  const gone = { ...worker, phase: "end", seen: {} } as const;
  return [
    gone,
    rules.finalizer ? state : { ...state, cluster: { ...state.cluster, made: "gone" } },
  ];
}

function marks({ finalizer, deleting }: ModelObject): string {
  return `${finalizer ? ", with finalizer" : ""}${deleting ? ", terminating" : ""}`;
}

/** On condition of the version read; a conflict reads again, and the object may be terminating by then. */
export function addsFinalizer(turn: Turn): Step[] {
  const { state, worker, set } = turn;
  const { primary: before } = worker.seen;
  const now = state.cluster.objects.primary;
  if (!before || now?.uid !== before.uid || now.version !== before.version)
    return readsAgain(turn, "finalizer");
  const next = withObject(state, "primary", { finalizer: true });
  const object = next.cluster.objects.primary ?? before;
  const wrote = { kind: "wrote", name: "primary", object, before: before.version } as const;
  const after = { ...moved(worker, "read secondary", wrote), seen: { primary: object } };
  const added = { ...after, phase: afterPrimary(turn, object) };
  const steps: Step[] = [["adds the finalizer", set(added, next)]];
  const budget = spent(state, "fault");
  const failed = { ...worker, phase: "failed" } as const;
  if (budget) {
    steps.push(["fails to add the finalizer", set(failed, { ...state, budget })]);
    steps.push(["adds the finalizer and is told that it failed", set(failed, { ...next, budget })]);
  }
  return steps;
}

/** After a conflict on the primary. Another object of that name, or none, ends the run. */
export function readsAgain(turn: Turn, what: string): Step[] {
  const { state, worker, set } = turn;
  const { primary: before } = worker.seen;
  const now = state.cluster.objects.primary;
  const label = `meets a conflict on the ${what}`;
  if (!before || now?.uid !== before.uid) {
    const touched = { kind: "touched", name: "primary", uid: before?.uid ?? 0 } as const;
    return [[`${label}, and the primary is gone`, set(moved(worker, "end", touched))]];
  }
  const read = moved(worker, "end", { kind: "read", name: "primary", object: now });
  const next = { ...read, seen: { ...worker.seen, primary: now }, phase: afterPrimary(turn, now) };
  return [[`${label} and reads again`, set(next)]];
}

export function readsSecondary({ state, worker, set }: Turn): Step[] {
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
