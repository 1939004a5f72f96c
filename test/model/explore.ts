import { HashSet } from "./hash-set.ts";
import { restlessState } from "./rest.ts";

/** A system to be explored, state by state. States are values that never change. */
export interface System<State> {
  readonly initial: State;
  readonly next: (state: State) => readonly (readonly [label: string, state: State])[];
  /** Equal for states that are the same. */
  readonly keyOf: (state: State) => string;
  /** What is wrong with a state; undefined: nothing. `last` where nothing can happen any more. */
  readonly faultOf: (state: State, last: boolean) => string | undefined;
  /** Whether all that was begun is done. From each state a way must lead to one that is. */
  readonly atRest: (state: State) => boolean;
}

export interface Exploration {
  readonly states: number;
  readonly steps: number;
  /** All states there are were looked at. */
  readonly complete: boolean;
  /** The shortest way to a fault. */
  readonly fault?: { readonly what: string; readonly trace: readonly string[] };
}

export interface ExploreOptions {
  readonly maxStates: number;
  /** Told now and then how far it is. */
  readonly progress?: (states: number) => void;
}

const PROGRESS_STATES = 50_000;

/**
 * Looks at every state that can be reached, the nearest first, until one is at fault or `maxStates`
 * were found. Of a state 64 bits of a hash are kept: two that share them are taken for one, which of
 * ten million happens once in 370,000 explorations. Whether rest can be reached from each of them is
 * known only when all were looked at.
 */
export function explore<State>(
  { initial, next, keyOf, faultOf, atRest }: System<State>,
  { maxStates, progress }: ExploreOptions,
): Exploration {
  const seen = new HashSet();
  const parents: number[] = [-1];
  const choices: number[] = [0];
  const edges: number[] = [];
  const rest: number[] = [];
  seen.indexOf(keyOf(initial));
  let layer: { state: State; id: number }[] = [{ state: initial, id: 0 }];
  const looked = () => ({ states: parents.length, steps: edges.length / 2 });
  const found = (what: string, id: number): Exploration => ({
    ...looked(),
    complete: false,
    fault: { what, trace: traceOf({ initial, next }, parents, choices, id) },
  });
  while (layer.length > 0) {
    const following: typeof layer = [];
    for (const { state, id } of layer) {
      const successors = next(state);
      const what = faultOf(state, successors.length === 0);
      if (what !== undefined) return found(what, id);
      if (atRest(state)) rest.push(id);
      for (const [choice, [, successor]] of successors.entries()) {
        const index = seen.indexOf(keyOf(successor));
        edges.push(id, index);
        if (index < parents.length) continue;
        following.push({ state: successor, id: parents.length });
        parents.push(id);
        choices.push(choice);
        if (parents.length % PROGRESS_STATES === 0) progress?.(parents.length);
        if (parents.length >= maxStates) return { ...looked(), complete: false };
      }
    }
    layer = following;
  }
  const restless = restlessState(parents.length, edges, rest);
  if (restless !== undefined) return found("stuck: from here nothing leads to rest", restless);
  return { ...looked(), complete: true };
}

function traceOf<State>(
  { initial, next }: Pick<System<State>, "initial" | "next">,
  parents: readonly number[],
  choices: readonly number[],
  end: number,
): string[] {
  const path: number[] = [];
  for (let id = end; id > 0; id = parents[id] ?? 0) path.unshift(choices[id] ?? 0);
  const labels: string[] = [];
  let state = initial;
  for (const choice of path) {
    const step = next(state)[choice];
    if (!step) break;
    labels.push(step[0]);
    state = step[1];
  }
  return labels;
}
