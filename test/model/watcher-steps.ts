import { coveredGone, coveredLive } from "../../shared/queue/covered.ts";
import { NO_RECORD, type ObjectRecord } from "../../shared/queue/record.ts";
import { clearTimer } from "../../shared/queue/record-transitions.ts";
import { changeCause } from "../../shared/queue/request-codec.ts";
import { coveredKey } from "../../watcher/covered-key.ts";
import { judgeEntry } from "../../watcher/judge-entry.ts";
import {
  backfillEntry,
  mergedEntries,
  type PendingEntry,
  timerEntry,
} from "../../watcher/pending-entry.ts";
import {
  cachedIn,
  fingerprint,
  identity,
  KEY,
  KEY_TEXT,
  REVISION,
  SYNCED,
  snapshotOf,
} from "./objects.ts";
import type { Rules } from "./rules.ts";
import {
  type Change,
  DOWN,
  type Forwarding,
  type ModelState,
  type ModelWatcher,
  NAMES,
  type Name,
  type Objects,
} from "./state.ts";
import { lockHolderLives, type Step, spent, without, withRecord } from "./steps.ts";

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
    ...judgesBackfill(rules, state, watcher, set),
    ...takes(rules, state, watcher, set),
    ...firesTimers(rules, state, watcher, set),
    ...forwards(rules, state, watcher, set),
  ];
}

type Set = (watcher: ModelWatcher, state?: ModelState) => ModelState;

function settingOf(before: ModelState, index: number): Set {
  return (watcher, state = before) => ({
    ...state,
    watchers: state.watchers.map((each, at) => (at === index ? watcher : each)),
  });
}

function crashes(state: ModelState, set: Set): Step[] {
  const budget = spent(state, "watcherCrash");
  return budget ? [["is killed", set(DOWN, { ...state, budget })]] : [];
}

function leads(rules: Rules, state: ModelState, watcher: ModelWatcher, set: Set): Step[] {
  if (!watcher.leading) {
    const leaders = state.watchers.filter(({ leading }) => leading).length;
    const { cache } = watcher;
    return leaders < rules.leaders
      ? [["leads and begins a backfill", set({ ...watcher, leading: true, backfill: cache })]]
      : [];
  }
  const budget = spent(state, "takeOver");
  if (!budget) return [];
  // What it is about to send may still go: it stalled for longer than its lease.
  const retired = { ...without(watcher, "waiting", "backfill"), leading: false };
  return [["leads no more", set(retired, { ...state, budget })]];
}

function delivers(
  rules: Rules,
  state: ModelState,
  { watcher, set, name }: { watcher: ModelWatcher; set: Set; name: Name },
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
  const told = { ...watcher, cache: inOrder(cache) };
  const same = !deleted && before?.uid === object.uid;
  const passes = !same || fingerprint(rules, before) !== fingerprint(rules, object);
  if (!watcher.leading || !passes) return told;
  return noted(rules, state, told, entryFor(rules, change));
}

function inOrder({ primary, secondary }: Objects): Objects {
  return { ...(primary && { primary }), ...(secondary && { secondary }) };
}

function entryFor(rules: Rules, { name, object, deleted }: Change): PendingEntry {
  const changed = { fingerprint: fingerprint(rules, object), deleting: false };
  const objects = new Map([[identity(name, object.uid), changed]]);
  return { key: KEY, reason: "change", objects, deleted, waits: 0 };
}

/** A watch was lost: the list that follows tells what differs, and nothing of what was in between. */
function relists(rules: Rules, state: ModelState, watcher: ModelWatcher, set: Set): Step[] {
  const budget = watcher.feed.length > 0 && spent(state, "fault");
  if (!budget) return [];
  let told: ModelWatcher = { ...watcher, feed: [] };
  for (const name of NAMES) {
    const [before, now] = [watcher.cache[name], state.cluster.objects[name]];
    if (before && before.uid !== now?.uid)
      told = tell(rules, state, told, { name, object: before, deleted: true });
    if (now && now.version !== told.cache[name]?.version)
      told = tell(rules, state, told, { name, object: now, deleted: false });
  }
  return [["lost its watches and lists anew", set(told, { ...state, budget })]];
}

function noted(
  { dont }: Rules,
  state: ModelState,
  watcher: ModelWatcher,
  entry: PendingEntry,
): ModelWatcher {
  const { waiting } = watcher;
  if (waiting) return { ...watcher, waiting: mergedEntries(waiting, entry) };
  const early = dont === "epoch read before the change was seen";
  return { ...watcher, waiting: entry, ...(early && { cachedRecord: state.before ?? null }) };
}

function judgesBackfill(rules: Rules, state: ModelState, watcher: ModelWatcher, set: Set): Step[] {
  const { backfill } = watcher;
  if (!backfill) return [];
  const judged = without(watcher, "backfill");
  const record = state.record ?? NO_RECORD;
  if (record.epoch === 0 && !backfill.primary && !backfill.secondary)
    return [["finds no key", set(judged)]];
  if (coveredIn(rules, state, backfill, record)) return [["finds the key covered", set(judged)]];
  const entry = backfillEntry(KEY, record, (now) => !coveredIn(rules, state, backfill, now));
  const labelled = labelledEntry(entry, { backfill, epoch: record.epoch, ran: record.runId });
  return [["finds the key changed", set(noted(rules, state, judged, labelled))]];
}

function coveredIn(rules: Rules, state: ModelState, cache: Objects, record: ObjectRecord): boolean {
  if (rules.dont === "backfill judged change by change") {
    const entry = { objects: cachedIn(rules, cache), anyDeleted: false };
    return coveredLive({ record, entry, revision: REVISION });
  }
  const left = rules.dont === "gone believed of a record that a run holds" ? free(record) : record;
  if (!cache.primary && coveredGone(left)) return true;
  return coveredKey(believedRecord(rules, state, record), {
    text: KEY_TEXT,
    revision: REVISION,
    snapshot: snapshotOf(rules, cache),
    kinds: SYNCED,
  });
}

/** Takes the entry out and reads the record; what changes from now on waits anew. */
function takes(rules: Rules, state: ModelState, watcher: ModelWatcher, set: Set): Step[] {
  const { waiting: entry, forwarding, leading } = watcher;
  if (!entry || forwarding || !leading) return [];
  return reads(rules, state, { watcher: without(watcher, "waiting"), set, forwarding: { entry } });
}

function firesTimers(rules: Rules, state: ModelState, watcher: ModelWatcher, set: Set): Step[] {
  if (!watcher.leading || watcher.forwarding) return [];
  // The index lags behind the table.
  const due = new Set([state.record?.dueAt, state.before?.dueAt]);
  return [...due]
    .filter((dueAt) => dueAt !== undefined)
    .flatMap((dueAt) => {
      const entry = labelledEntry(timerEntry({ key: KEY, dueAt }), { timer: dueAt });
      return reads(rules, state, { watcher, set, forwarding: { entry, timer: dueAt } });
    });
}

function forwards(rules: Rules, state: ModelState, watcher: ModelWatcher, set: Set): Step[] {
  const { forwarding } = watcher;
  if (!forwarding) return [];
  if (forwarding.sent) return afterSend(rules, state, { watcher, set, forwarding });
  return judges(rules, state, { watcher, set, forwarding });
}

interface Flight {
  readonly watcher: ModelWatcher;
  readonly set: Set;
  readonly forwarding: Forwarding;
}

function reads(rules: Rules, state: ModelState, { watcher, set, forwarding }: Flight): Step[] {
  const record = recordRead(rules, state, watcher);
  const cached = rules.dont === "epoch read from a cache" && { cachedRecord: record };
  const steps: Step[] = [
    [
      `reads the record${forwarding.timer === undefined ? "" : " for a timer"}`,
      set({ ...watcher, ...cached, forwarding: { ...forwarding, record } }),
    ],
  ];
  const budget = forwarding.timer === undefined && spent(state, "fault");
  if (!budget) return steps;
  const faulty = { ...state, budget };
  if (rules.dont === "key that was not read taken for absent") {
    const absent = { ...watcher, forwarding: { ...forwarding, record: null } };
    return [...steps, ["does not read the record", set(absent, faulty)]];
  }
  const sent = withMessage(faulty, UNIQUE, forwarding.entry);
  return [...steps, ["sends in doubt", set(without(watcher, "forwarding"), sent)]]; // Q9
}

function recordRead(
  { dont }: Rules,
  state: ModelState,
  watcher: ModelWatcher,
): ObjectRecord | null {
  const { record = null, before = record } = state;
  if (dont === "epoch read that is not strongly consistent") return before;
  const cached =
    dont === "epoch read from a cache" || dont === "epoch read before the change was seen";
  return cached && watcher.cachedRecord !== undefined ? watcher.cachedRecord : record;
}

function judges(rules: Rules, state: ModelState, flight: Flight): Step[] {
  const { watcher, set, forwarding } = flight;
  const { entry } = forwarding;
  const record = forwarding.record ?? NO_RECORD;
  const covered = (asked: PendingEntry, now: ObjectRecord) =>
    coveredLive({
      record: believedRecord(rules, state, now),
      entry: { objects: objectsOf(asked), anyDeleted: asked.deleted },
      revision: REVISION,
    });
  const steps: Step[] = [];
  for (const { nowMs, next } of nows(state, record)) {
    const kind = judgeEntry(entry, record, { nowMs, covered });
    const done = without(watcher, "forwarding");
    if (kind === "send") steps.push(...sends(rules, next, { ...flight, record }));
    else if (kind === "held") steps.push(["holds the key", set(putBack(done, forwarding), next)]);
    else steps.push([`drops the entry: ${kind}`, set(done, next)]);
  }
  return steps;
}

/** By its own clock: a lock whose run lives has expired only for one that is fast. */
function nows(state: ModelState, { runId }: ObjectRecord) {
  if (runId === undefined) return [{ nowMs: 0, next: state }];
  if (!lockHolderLives(state, runId)) return [0, 2].map((nowMs) => ({ nowMs, next: state }));
  const budget = spent(state, "fastClock");
  const fast = budget ? [{ nowMs: 2, next: { ...state, budget } }] : [];
  return [{ nowMs: 0, next: state }, ...fast];
}

function free(record: ObjectRecord): ObjectRecord {
  return without(record, "runId");
}

function believedRecord({ dont }: Rules, state: ModelState, record: ObjectRecord): ObjectRecord {
  if (dont !== "expired lock taken for a free one in the covered test") return record;
  const { runId } = record;
  const expired = runId !== undefined && !lockHolderLives(state, runId);
  return expired ? free(record) : record;
}

function sends(
  rules: Rules,
  state: ModelState,
  { watcher, set, forwarding, record }: Flight & { readonly record: ObjectRecord },
): Step[] {
  const { entry, timer } = forwarding;
  const { epoch, retryHandle } = record;
  const cause = causeOf(rules, epoch, timer);
  const kept =
    rules.dont === "waiting key dropped when a send succeeded" && timer === undefined
      ? without(watcher, "waiting")
      : watcher;
  const memory = rules.dont === "send suppressed because this epoch was sent already";
  const wake = retryHandle === undefined ? {} : { wake: Number(retryHandle) };
  const clear = timer === undefined ? {} : { clear: { dueAt: timer, epoch } };
  const sent = { ...wake, ...clear };
  const over = "wake" in sent || "clear" in sent ? { ...forwarding, sent } : undefined;
  const after = {
    ...without(kept, "forwarding"),
    ...(over && { forwarding: over }),
    ...(memory && { sentEpochs: [...(watcher.sentEpochs ?? []), epoch] }),
  };
  if (memory && watcher.sentEpochs?.includes(epoch)) return [["suppresses the send", set(after)]];
  const delivered = withMessage(state, cause, entry);
  const what = delivered.messages === state.messages ? "its send is swallowed" : "sends";
  const steps: Step[] = [[`${what} (${cause})`, set(after, delivered)]];
  const budget = spent(state, "fault");
  if (!budget) return steps;
  const failed = putBack(without(watcher, "forwarding"), forwarding);
  return [
    ...steps,
    ["fails to send", set(failed, { ...state, budget })],
    [`sends (${cause}) and is told that it failed`, set(failed, { ...delivered, budget })],
  ];
}

function causeOf({ dont }: Rules, epoch: number, timer: number | undefined): string {
  if (dont === "bare key as id") return "key";
  if (dont === "timer's id and clear by dueAt alone" && timer !== undefined) return `due ${timer}`;
  return changeCause(epoch);
}

const UNIQUE = "unique";

function withMessage(state: ModelState, cause: string, entry: PendingEntry): ModelState {
  if (cause !== UNIQUE && state.window.includes(cause)) return state;
  const window = cause === UNIQUE ? state.window : [...state.window, cause];
  const trigger = [...entry.objects].map(([id, { fingerprint: of }]) => `${id} ${of}`);
  return { ...state, window, messages: [...state.messages, { cause, trigger }] };
}

/** A timer stays in the table; what else was not sent waits again. */
function putBack(watcher: ModelWatcher, { entry, timer }: Forwarding): ModelWatcher {
  if (timer !== undefined || !watcher.leading) return watcher;
  const { waiting } = watcher;
  return { ...watcher, waiting: waiting ? mergedEntries(entry, waiting) : entry };
}

function afterSend(rules: Rules, state: ModelState, { watcher, set, forwarding }: Flight): Step[] {
  const { wake, clear } = forwarding.sent ?? {};
  const done = without(watcher, "forwarding");
  if (wake !== undefined) {
    const messages = state.messages.map((message) =>
      message.handle === wake ? without(message, "handle") : message,
    );
    const rest = clear ? { ...watcher, forwarding: { ...forwarding, sent: { clear } } } : done;
    return [["wakes the message in backoff", set(rest, { ...state, messages })]];
  }
  if (!clear || !state.record) return [["has nothing to clear", set(done)]];
  const byDueAt = rules.dont === "timer's id and clear by dueAt alone";
  const epoch = byDueAt ? state.record.epoch : clear.epoch;
  const { record } = clearTimer(state.record, { ...clear, epoch });
  if (record === state.record) return [["does not clear a newer timer", set(done)]];
  return [["clears the timer", set(done, withRecord(rules, state, record))]];
}

function objectsOf({ objects }: PendingEntry) {
  return [...objects].map(([id, object]) => ({ identity: id, ...object }));
}

/** What an entry's condition hangs on, for states to be told apart. */
function labelledEntry(entry: PendingEntry, label: object): PendingEntry {
  const { due } = entry;
  return { ...entry, ...(due && { due: Object.assign(due, { label: JSON.stringify(label) }) }) };
}
