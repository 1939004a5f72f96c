import { wanted, withObject } from "./cluster.ts";
import type { System } from "./explore.ts";
import type { Rules } from "./rules.ts";
import { DOWN, IDLE, type ModelState } from "./state.ts";
import { stateKey } from "./state-key.ts";
import { watcherSteps } from "./watcher-steps.ts";
import { workerSteps } from "./worker-steps.ts";
import { worldSteps } from "./world-steps.ts";

/** Messages of the key at once. */
const MOST_MESSAGES = 8;

/** The queue protocol for one key, over the project's own transitions. */
export function protocol(rules: Rules): System<ModelState> {
  return {
    initial: initialState(rules),
    next: (state) => [
      ...worldSteps(rules, state),
      ...watcherSteps(rules, state),
      ...workerSteps(rules, state),
    ],
    keyOf: stateKey,
    faultOf: (state, last) => faultOf(rules, state, last),
    atRest: quiet,
  };
}

function initialState(rules: Rules): ModelState {
  const empty: ModelState = {
    cluster: { version: 0, objects: {}, made: "gone", owed: false },
    messages: [],
    window: [],
    watchers: Array.from({ length: rules.watchers }, () => DOWN),
    workers: Array.from({ length: rules.workers }, () => IDLE),
    late: [],
    budget: rules.budget,
  };
  return rules.exists.reduce((state, name) => withObject(state, name, { content: "a" }), empty);
}

function faultOf(rules: Rules, state: ModelState, last: boolean): string | undefined {
  if (state.workers.filter(running).length > 1) return "two runs of the key at once";
  if (state.messages.length > MOST_MESSAGES) return `${state.messages.length} messages of the key`;
  if (!quiet(state)) return last ? "stuck: nothing can happen, and it is not at rest" : undefined;
  if (state.cluster.owed) return "lost: a run asked for another one, which never came";
  const { made, objects } = state.cluster;
  const want = wanted(rules.acts, objects);
  if (rules.acts === "observes" || want === "gone") {
    return made === want ? undefined : `lost: the cluster asks for ${want}, made was ${made}`;
  }
  const content = objects.secondary?.content ?? "none";
  return content === want ? undefined : `lost: the secondary should be ${want}, and is ${content}`;
}

/** Between the start and the end of a run. */
function running({ phase, record }: ModelState["workers"][number]): boolean {
  return record !== undefined && phase !== "idle" && phase !== "acknowledge";
}

/** Nothing is on its way, and nothing will come of itself. */
function quiet({ messages, workers, late, watchers, record }: ModelState): boolean {
  return (
    messages.length === 0 &&
    late.length === 0 &&
    record?.dueAt === undefined &&
    workers.every(({ phase }) => phase === "idle") &&
    watchers.some(idleLeader)
  );
}

function idleLeader(watcher: ModelState["watchers"][number]): boolean {
  const { leading, feed, backfill, waiting, forwarding } = watcher;
  return leading && feed.length === 0 && !backfill && !waiting && !forwarding;
}
