import { wanted, withObject } from "./cluster.ts";
import type { ModelState, Objects, Sighting } from "./state.ts";
import type { Step } from "./steps.ts";
import type { Turn } from "./worker-steps.ts";

/** What a run makes of what it saw. */
export function acted(turn: Turn): Step[] {
  const { rules, state, worker, set } = turn;
  const { seen } = worker;
  const want = wanted(rules.acts, seen);
  const phase = rules.status ? "status" : "end";
  if (rules.acts === "observes") {
    return [[`makes ${want}`, set({ ...worker, phase }, made(state, want))]];
  }
  if (rules.acts === "patches") return patches(turn, want, phase);
  const { secondary } = seen;
  const now = state.cluster.objects.secondary;
  const noted = (sighting: Sighting, next: ModelState, at = phase as typeof worker.phase) =>
    set({ ...worker, phase: at, sightings: [...worker.sightings, sighting] }, next);
  if (secondary && (now?.uid !== secondary.uid || now.version !== secondary.version)) {
    const touched = { kind: "touched", name: "secondary", uid: secondary.uid } as const;
    return [["meets a conflict on the secondary", noted(touched, state, "read secondary")]];
  }
  const next = made(withObject(state, "secondary", { content: want }), want);
  const object = next.cluster.objects.secondary;
  if (!object) return [];
  if (secondary) {
    const wrote = { kind: "wrote", name: "secondary", object, before: secondary.version } as const;
    return [[`applies the secondary, ${want}`, noted(wrote, next)]];
  }
  if (now) {
    const touched = { kind: "touched", name: "secondary", uid: now.uid } as const;
    return [[`applies a secondary that somebody made meanwhile, ${want}`, noted(touched, next)]];
  }
  return [
    [`creates the secondary, ${want}`, noted({ kind: "wrote", name: "secondary", object }, next)],
  ];
}

/** By hand: where it differs from what is wanted, whatever it is by now. */
function patches({ state, worker, set }: Turn, want: string, phase: "status" | "end"): Step[] {
  const { secondary } = worker.seen;
  if (secondary?.content === want) {
    return [["finds the secondary as wanted", set({ ...worker, phase }, made(state, want))]];
  }
  const next = made(withObject(state, "secondary", { content: want }), want);
  const uid = next.cluster.objects.secondary?.uid ?? 0;
  const touched = { kind: "touched", name: "secondary", uid } as const;
  const sightings = [...worker.sightings, touched];
  return [[`patches the secondary, ${want}`, set({ ...worker, phase, sightings }, next)]];
}

/** Writes the status, conditional on the version that is known; a conflict reads and tries again. */
export function statusWritten({ rules, state, worker, set }: Turn): Step[] {
  const status = wanted(rules.acts, worker.seen);
  const known = [...worker.sightings]
    .reverse()
    .find(({ name, kind }) => name === "primary" && kind !== "touched");
  const before = known && "object" in known ? known.object : undefined;
  const now = state.cluster.objects.primary;
  if (!before || !now || now.uid !== before.uid)
    return [["finds the primary gone", set({ ...worker, phase: "end" })]];
  if (before.status === status)
    return [["has the status already", set({ ...worker, phase: "end" })]];
  if (now.version !== before.version) {
    const read = { kind: "read", name: "primary", object: now } as const;
    const sightings = [...worker.sightings, read];
    return [["meets a conflict on the status and reads again", set({ ...worker, sightings })]];
  }
  const next = withObject(state, "primary", { status });
  const object = next.cluster.objects.primary;
  if (!object) return [];
  const wrote = { kind: "wrote", name: "primary", object, before: before.version } as const;
  const sightings = [...worker.sightings, wrote];
  return [[`writes the status ${status}`, set({ ...worker, phase: "end", sightings }, next)]];
}

/** A run's request that lands after its end. */
export function actedLate(
  state: ModelState,
  acts: "observes" | "applies" | "patches",
  seen: Objects,
) {
  const want = wanted(acts, seen);
  if (acts === "observes") return made(state, want);
  const { secondary } = seen;
  const now = state.cluster.objects.secondary;
  const conditional = acts === "applies" && secondary;
  if (conditional && now?.version !== secondary.version) return state;
  return withObject(state, "secondary", { content: want });
}

function made(state: ModelState, want: string): ModelState {
  return { ...state, cluster: { ...state.cluster, made: want } };
}
