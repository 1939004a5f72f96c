import type { Rules } from "./rules.ts";
import type { ModelState, ModelWorker, Sighting } from "./state.ts";

/** What one of the workers can do something with. */
export interface Turn {
  readonly rules: Rules;
  readonly state: ModelState;
  readonly worker: ModelWorker;
  readonly set: (worker: ModelWorker, state?: ModelState) => ModelState;
}

export function settingOf(before: ModelState, index: number): Turn["set"] {
  return (worker, state = before) => ({
    ...state,
    workers: state.workers.map((each, at) => (at === index ? worker : each)),
  });
}

/** The worker in another phase, with what it saw or wrote on the way there. */
export function moved(
  worker: ModelWorker,
  phase: ModelWorker["phase"],
  ...sightings: readonly Sighting[]
): ModelWorker {
  return { ...worker, phase, sightings: [...worker.sightings, ...sightings] };
}
