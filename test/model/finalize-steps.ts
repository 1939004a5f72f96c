import { withoutFinalizer } from "./cluster.ts";
import { fails } from "./end-steps.ts";
import { readsAgain } from "./read-steps.ts";
import { type Step, spent } from "./steps.ts";
import { moved, type Turn } from "./turn.ts";

/** Takes back what was made. It may fail, before and after. */
export function finalizes(turn: Turn): Step[] {
  const { rules, state, worker, set } = turn;
  const cluster = { ...state.cluster, made: "gone" };
  const early = rules.dont === "finalizer removed before finalize";
  const phase = early ? "end" : "remove finalizer";
  const done = set({ ...worker, phase }, { ...state, cluster });
  return [["finalizes", done], ...fails(turn, "before it finalizes")];
}

/** G6: only once `finalize` succeeded, and on condition of the version known. */
export function removesFinalizer(turn: Turn): Step[] {
  const { rules, state, worker, set } = turn;
  const { primary: before } = worker.seen;
  const next = before && withoutFinalizer(state, before);
  if (!before || !next) return conflicts(turn);
  const object = { ...before, finalizer: false, version: next.cluster.version };
  const wrote = { kind: "wrote", name: "primary", object, before: before.version } as const;
  const early = rules.dont === "finalizer removed before finalize";
  const after = moved(worker, early ? "finalize" : "end", wrote);
  const steps: Step[] = [["removes the finalizer", set(after, next)]];
  const budget = spent(state, "fault");
  const failed = { ...worker, phase: "failed" } as const;
  if (budget) {
    steps.push(["fails to remove the finalizer", set(failed, { ...state, budget })]);
    steps.push([
      "removes the finalizer and is told that it failed",
      set(failed, { ...next, budget }),
    ]);
  }
  return steps;
}

/** `finalize` is not repeated: only the entry is taken off what is there by now. */
function conflicts(turn: Turn): Step[] {
  return readsAgain(turn, "finalizer").map(([label, next]): Step => {
    const workers = next.workers.map((worker, at) =>
      turn.state.workers[at] === turn.worker && worker.phase === "finalize"
        ? { ...worker, phase: "remove finalizer" as const }
        : worker,
    );
    return [label, { ...next, workers }];
  });
}
