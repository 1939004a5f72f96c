import { coveredGone, coveredLive } from "../../shared/queue/covered.ts";
import { NO_RECORD, type ObjectRecord } from "../../shared/queue/record.ts";
import { coveredKey } from "../../watcher/covered-key.ts";
import { entryOf, judgeKey } from "../../watcher/judge-key.ts";
import { resyncEntry } from "../../watcher/pending-entry.ts";
import { believedRecord, free, revisionFor } from "./believed.ts";
import { cachedIn, KEY, KEY_TEXT, SYNCED, snapshotOf } from "./objects.ts";
import type { Rules } from "./rules.ts";
import { type Backfill, DRIFTED, type ModelState, type ModelWatcher } from "./state.ts";
import { lockHolderLives, type Step, without } from "./steps.ts";
import { labelledEntry, noted, type SetWatcher } from "./waiting.ts";

/** What a leader finds in the records: by a backfill, by one for a new revision, and by a resync. */
export function lookSteps(
  rules: Rules,
  state: ModelState,
  watcher: ModelWatcher,
  set: SetWatcher,
): readonly Step[] {
  if (!watcher.leading) return [];
  return [
    ...hearsOfRevision(rules, state, watcher, set),
    ...repeats(state, watcher, set),
    ...judgesBackfill(rules, state, watcher, set),
    ...resyncs(rules, state, watcher, set),
  ];
}

function hearsOfRevision(
  rules: Rules,
  state: ModelState,
  watcher: ModelWatcher,
  set: SetWatcher,
): Step[] {
  const { revision: knows } = state.cluster;
  if (watcher.knows === knows) return [];
  const heard = { ...watcher, knows, ...passFor(watcher), ...repeatsFor(rules) };
  return [["hears of the new revision", set(heard)]];
}

/** Once no invocation of old code can live any more, and only where there is any. */
export function repeatsFor({ budget, dont }: Rules): Pick<ModelWatcher, "repeats"> {
  return budget.deploy > 0 && dont !== "pass for a revision made once" ? { repeats: true } : {};
}

function repeats({ workers }: ModelState, watcher: ModelWatcher, set: SetWatcher): Step[] {
  const old = workers.some((one) => one.phase !== "idle" && one.revision !== watcher.knows);
  if (!watcher.repeats || old || watcher.lane) return [];
  const again = without(watcher, "repeats");
  return [["looks again for what old code ran", set({ ...again, ...passFor(watcher) })]];
}

/** A pass that has not begun is one for all that is wanted. */
function passFor({ cache, backfill }: ModelWatcher): { readonly backfill: Backfill } {
  return { backfill: { cache, revisionOnly: backfill?.revisionOnly ?? true } };
}

function judgesBackfill(
  rules: Rules,
  state: ModelState,
  watcher: ModelWatcher,
  set: SetWatcher,
): Step[] {
  const { backfill } = watcher;
  if (!backfill) return [];
  const record = state.record ?? NO_RECORD;
  const { runId } = record;
  const left = without(watcher, "backfill");
  if (record.epoch === 0 && !backfill.cache.primary && !backfill.cache.secondary)
    return [["finds no key", set(left)]];
  const matters = backfill.revisionOnly && record.revision !== watcher.knows;
  const expired = matters && runId !== undefined && !lockHolderLives(state, runId);
  return (expired ? [false, true] : [false]).map((died) =>
    judged(rules, state, { watcher: left, backfill, record, died, set }),
  );
}

interface Look {
  readonly watcher: ModelWatcher;
  readonly backfill: Backfill;
  readonly record: ObjectRecord;
  /** To the watcher's clock its lock has expired. */
  readonly died: boolean;
  readonly set: SetWatcher;
}

function judged(rules: Rules, state: ModelState, look: Look): Step {
  const { watcher, backfill, record, died, set } = look;
  const { cache, revisionOnly } = backfill;
  const key = {
    key: KEY,
    record,
    gone: !cache.primary,
    mapped: cache.primary !== undefined,
    died,
    covered: (now: ObjectRecord) => coveredIn(rules, state, look, now),
  };
  const careless = rules.dont === "gone believed of a record that a run holds";
  const revision = revisionFor(rules, watcher, record);
  // As a repeated pass, which asks for the least.
  const mode = { revision, all: false, revisionOnly, repeated: true };
  const verdict = judgeKey(careless ? { ...key, record: free(record) } : key, mode);
  if (verdict === "covered") return ["finds the key covered", set(watcher)];
  const entry = entryOf(key, verdict);
  const label = { cache, epoch: record.epoch, ran: record.runId, revision };
  const labelled = labelledEntry(entry, label);
  if (verdict === "changed")
    return ["finds the key changed", set(noted(rules, state, watcher, labelled))];
  return ["finds that old code ran the key", set({ ...watcher, lane: labelled })];
}

function coveredIn(rules: Rules, state: ModelState, look: Look, record: ObjectRecord): boolean {
  const { watcher, backfill } = look;
  const revision = revisionFor(rules, watcher, record);
  if (rules.dont === "backfill judged change by change") {
    const entry = { objects: cachedIn(rules, backfill.cache), anyDeleted: false };
    return coveredLive({ record, entry, revision });
  }
  return coveredKey(believedRecord(rules, state, record), {
    text: KEY_TEXT,
    revision,
    snapshot: snapshotOf(rules, backfill.cache),
    kinds: SYNCED,
  });
}

/** Drift is found whenever a period has passed; what was asked for is not asked for again. */
function resyncs(rules: Rules, state: ModelState, watcher: ModelWatcher, set: SetWatcher): Step[] {
  const { record, cluster } = state;
  const due = cluster.made === DRIFTED && record?.finishedAt !== undefined && !coveredGone(record);
  if (!due || watcher.lane) return [];
  const resynced = lastRunOf(record);
  if (watcher.resynced === resynced) return [];
  const { always, ...rest } = labelledEntry(resyncEntry(KEY, record), { resynced });
  const judgedBySeen = rules.dont === "resync dropped when nothing changed";
  const lane = judgedBySeen
    ? { ...rest, objects: objectsIn(rules, watcher) }
    : { ...rest, ...(always !== undefined && { always }) };
  return [["finds a resync due", set({ ...watcher, resynced, lane })]];
}

export function lastRunOf({ epoch, finishedAt }: ObjectRecord): string {
  return `${epoch} ${finishedAt}`;
}

function objectsIn(rules: Rules, { cache }: ModelWatcher) {
  return new Map(cachedIn(rules, cache).map(({ identity, ...object }) => [identity, object]));
}
