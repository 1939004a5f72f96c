import type { ObjectRecord } from "../../shared/queue/record.ts";
import { wanted, withObject } from "./cluster.ts";
import type { System } from "./explore.ts";
import { lastRunOf } from "./look-steps.ts";
import type { Rules } from "./rules.ts";
import { DOWN, DRIFTED, IDLE, type ModelState, type Objects } from "./state.ts";
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
    cluster: {
      version: 0,
      objects: {},
      made: "gone",
      owed: false,
      code: "r1",
      revision: "r1",
    },
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
  const tooMany = tooManyRuns(rules, state);
  if (tooMany !== undefined) return tooMany;
  const { finalizer } = rules;
  if (finalizer && !state.cluster.objects.primary?.finalizer && state.cluster.made !== "gone")
    return "lost: the finalizer went, and what was made is still there";
  if (!quiet(state)) return last ? "stuck: nothing can happen, and it is not at rest" : undefined;
  return lossAtRest(rules, state.cluster);
}

/** G8: a change, a fault or whatever else happens leads to so many runs and no more. */
function tooManyRuns({ runs, budget }: Rules, state: ModelState): string | undefined {
  if (!runs) return undefined;
  const epoch = state.record?.epoch ?? 0;
  const causes = total(budget) - total(state.budget);
  const most = runs.begin + runs.each * causes;
  return epoch > most ? `${epoch} runs for ${causes} causes: more than ${most}` : undefined;
}

function total(budget: Rules["budget"]): number {
  return Object.values(budget).reduce((sum, count) => sum + count, 0);
}

function lossAtRest(rules: Rules, cluster: ModelState["cluster"]) {
  const { made, objects, owed, revision, lateStatus } = cluster;
  if (owed) return "lost: a run asked for another one, which never came";
  const { primary, secondary } = objects;
  if (primary?.deleting) return "lost: the primary waits for its finalizer to be removed";
  const want = wanted(rules, objects, revision);
  if (rules.status && !lateStatus && primary && primary.status !== want)
    return `lost: the status should be ${want}, and is ${primary.status}`;
  if (rules.acts === "observes" || want === "gone")
    return made === want || madeOfUnused(rules, objects, made)
      ? undefined
      : `lost: the cluster asks for ${want}, made was ${made}`;
  const content = secondary?.content ?? "none";
  return content === want ? undefined : `lost: the secondary should be ${want}, and is ${content}`;
}

/** Between the start and the end of a run. */
function running({ phase, record }: ModelState["workers"][number]): boolean {
  return record !== undefined && phase !== "idle" && phase !== "acknowledge";
}

/** Nothing is on its way, and nothing will come of itself. */
function quiet({ messages, workers, late, watchers, record, cluster }: ModelState): boolean {
  const { code, revision, made } = cluster;
  return (
    code === revision &&
    (made !== DRIFTED || watchers.some((one) => resynced(one, record))) &&
    messages.length === 0 &&
    late.length === 0 &&
    record?.dueAt === undefined &&
    workers.every(({ phase }) => phase === "idle") &&
    watchers.some((watcher) => watcher.knows === revision && idleLeader(watcher))
  );
}

/** Where no predicate compares the reference nobody is told that it went. */
function madeOfUnused({ fingerprints }: Rules, { primary }: Objects, made: string): boolean {
  if (fingerprints !== "content alone" || !primary || primary.uses) return false;
  return made.startsWith(`${primary.content}/`);
}

/** Whether it asked for what comes once a period; until then something will come of itself. */
function resynced({ resynced: asked }: ModelState["watchers"][number], record?: ObjectRecord) {
  return record !== undefined && asked === lastRunOf(record);
}

function idleLeader(watcher: ModelState["watchers"][number]): boolean {
  const { leading, feed, backfill, waiting, lane, repeats, forwarding } = watcher;
  const busy = backfill || waiting || lane || repeats || forwarding;
  return leading && feed.length === 0 && !busy;
}
