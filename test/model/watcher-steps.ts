import type { PendingEntry } from "../../watcher/pending-entry.ts";
import { ordered } from "./cluster.ts";
import { forwardSteps } from "./forward-steps.ts";
import { lookSteps, repeatsFor } from "./look-steps.ts";
import { fingerprint, identity, KEY } from "./objects.ts";
import type { Rules } from "./rules.ts";
import {
  type Change,
  DOWN,
  type ModelObject,
  type ModelState,
  type ModelWatcher,
  NAMES,
  type Name,
} from "./state.ts";
import { type Step, spent, without } from "./steps.ts";
import { noted, type SetWatcher } from "./waiting.ts";

/** Everything that one of the watchers, or somebody to it, may do next. */
export function watcherSteps(rules: Rules, state: ModelState): readonly Step[] {
  return state.watchers.flatMap((watcher, index) =>
    stepsOf(rules, state, watcher, index).map(
      ([label, next]): Step => [`watcher ${index + 1} ${label}`, next],
    ),
  );
}

function stepsOf(rules: Rules, state: ModelState, watcher: ModelWatcher, index: number): Step[] {
  const set = settingOf(state, index);
  if (!watcher.up) {
    const { objects: cache } = state.cluster;
    return [["starts and lists", set({ ...DOWN, up: true, cache })]];
  }
  return [
    ...crashes(state, set),
    ...leads(rules, state, watcher, set),
    ...NAMES.flatMap((name) => delivers(rules, state, { watcher, set, name })),
    ...relists(rules, state, watcher, set),
    ...lookSteps(rules, state, watcher, set),
    ...forwardSteps(rules, state, watcher, set),
  ];
}

function settingOf(before: ModelState, index: number): SetWatcher {
  return (watcher, state = before) => ({
    ...state,
    watchers: state.watchers.map((each, at) => (at === index ? watcher : each)),
  });
}

function crashes(state: ModelState, set: SetWatcher): Step[] {
  const budget = spent(state, "watcherCrash");
  return budget ? [["is killed", set(DOWN, { ...state, budget })]] : [];
}

function leads(rules: Rules, state: ModelState, watcher: ModelWatcher, set: SetWatcher): Step[] {
  if (!watcher.leading) {
    const leaders = state.watchers.filter(({ leading }) => leading).length;
    const backfill = { cache: watcher.cache, revisionOnly: false };
    const { revision: knows } = state.cluster;
    const leader = { ...watcher, leading: true, knows, backfill, ...repeatsFor(rules) };
    return leaders < rules.leaders ? [["leads and begins a backfill", set(leader)]] : [];
  }
  const budget = spent(state, "takeOver");
  if (!budget) return [];
  // What it is about to send may still go: it stalled for longer than its lease.
  const kept = without(watcher, "waiting", "lane", "backfill", "repeats", "resynced");
  const retired = { ...kept, leading: false };
  return [["leads no more", set(retired, { ...state, budget })]];
}

function delivers(
  rules: Rules,
  state: ModelState,
  { watcher, set, name }: { watcher: ModelWatcher; set: SetWatcher; name: Name },
): Step[] {
  const at = watcher.feed.findIndex((change) => change.name === name);
  const change = watcher.feed[at];
  if (!change) return [];
  const feed = watcher.feed.filter((_, index) => index !== at);
  const told = tell(rules, state, { ...watcher, feed }, change);
  return [
    [`sees ${name} ${change.deleted ? "deleted" : `version ${change.object.version}`}`, set(told)],
  ];
}

/** The caches follow; the leader notes what passes the predicate. */
function tell(
  rules: Rules,
  state: ModelState,
  watcher: ModelWatcher,
  change: Change,
): ModelWatcher {
  const { name, object, deleted } = change;
  const before = watcher.cache[name];
  const { [name]: _, ...others } = watcher.cache;
  const cache = deleted ? others : { ...others, [name]: object };
  const told = { ...watcher, cache: ordered(cache) };
  const mapped = name === "primary" || !rules.usedBy || watcher.cache.primary?.uses === true;
  if (!watcher.leading || !mapped || !passes(rules, change, before)) return told;
  return noted(rules, state, told, entryFor(rules, change, before));
}

/** As a source's view, and whatever that says: a change by which the primary begins to use the secondary. */
function passes(rules: Rules, change: Change, before?: ModelObject): boolean {
  const { object, deleted, missed } = change;
  if (deleted || before?.uid !== object.uid) return true;
  const { usedBy, dont } = rules;
  if (missed && dont !== "states missed by a watch taken for none") return true;
  if (usedBy && gains(before, object) && dont !== "change of a reference left to the predicate")
    return true;
  return fingerprint(rules, before) !== fingerprint(rules, object);
}

function gains(before: ModelObject | undefined, { uses }: ModelObject): boolean {
  return uses === true && before?.uses !== true;
}

function entryFor(rules: Rules, change: Change, before?: ModelObject): PendingEntry {
  const { name, object, deleted } = change;
  const changed = { fingerprint: fingerprint(rules, object), deleting: object.deleting ?? false };
  const objects = new Map([[identity(name, object.uid), changed]]);
  const careless = rules.dont === "change of a reference taken for covered";
  const remapped = rules.usedBy && !deleted && gains(before, object) && !careless;
  return { key: KEY, reason: "change", objects, deleted, remapped, waits: 0 };
}

/** A watch was lost: the list that follows tells what differs, and nothing of what was in between. */
function relists(rules: Rules, state: ModelState, watcher: ModelWatcher, set: SetWatcher): Step[] {
  const budget = watcher.feed.length > 0 && spent(state, "fault");
  if (!budget) return [];
  let told: ModelWatcher = { ...watcher, feed: [] };
  for (const name of NAMES) {
    const [before, now] = [watcher.cache[name], state.cluster.objects[name]];
    if (before && before.uid !== now?.uid)
      told = tell(rules, state, told, { name, object: before, deleted: true });
    if (now && now.version !== told.cache[name]?.version)
      told = tell(rules, state, told, { name, object: now, deleted: false, missed: true });
  }
  return [["lost its watches and lists anew", set(told, { ...state, budget })]];
}
