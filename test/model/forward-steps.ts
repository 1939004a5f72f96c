import { coveredLive } from "../../shared/queue/covered.ts";
import { NO_RECORD, type ObjectRecord } from "../../shared/queue/record.ts";
import { clearTimer } from "../../shared/queue/record-transitions.ts";
import { changeCause } from "../../shared/queue/request-codec.ts";
import { judgeEntry } from "../../watcher/judge-entry.ts";
import { type PendingEntry, timerEntry } from "../../watcher/pending-entry.ts";
import { believedRecord, revisionFor } from "./believed.ts";
import { KEY } from "./objects.ts";
import type { Rules } from "./rules.ts";
import type { Forwarding, ModelState, ModelWatcher } from "./state.ts";
import { lockHolderLives, type Step, spent, without, withRecord } from "./steps.ts";
import { labelledEntry, putBack, type SetWatcher } from "./waiting.ts";

/** Steps 2 to 5 of the protocol: from an entry that waits, or a timer, to a message. */
export function forwardSteps(
  rules: Rules,
  state: ModelState,
  watcher: ModelWatcher,
  set: SetWatcher,
): readonly Step[] {
  return [
    ...takes(rules, state, watcher, set),
    ...firesTimers(rules, state, watcher, set),
    ...forwards(rules, state, watcher, set),
  ];
}

/** Takes an entry out and reads the record; what changes from now on waits anew. */
function takes(rules: Rules, state: ModelState, watcher: ModelWatcher, set: SetWatcher): Step[] {
  const { waiting, lane, forwarding, leading } = watcher;
  if (forwarding || !leading) return [];
  const steps: Step[] = [];
  if (waiting) {
    const left = without(watcher, "waiting");
    steps.push(...reads(rules, state, { watcher: left, set, forwarding: { entry: waiting } }));
  }
  if (lane) {
    const left = without(watcher, "lane");
    const forwarding = { entry: lane, slow: true };
    steps.push(...reads(rules, state, { watcher: left, set, forwarding }));
  }
  return steps;
}

function firesTimers(
  rules: Rules,
  state: ModelState,
  watcher: ModelWatcher,
  set: SetWatcher,
): Step[] {
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

function forwards(rules: Rules, state: ModelState, watcher: ModelWatcher, set: SetWatcher): Step[] {
  const { forwarding } = watcher;
  if (!forwarding) return [];
  if (forwarding.sent) return afterSend(rules, state, { watcher, set, forwarding });
  return judges(rules, state, { watcher, set, forwarding });
}

interface Flight {
  readonly watcher: ModelWatcher;
  readonly set: SetWatcher;
  readonly forwarding: Forwarding;
}

function reads(rules: Rules, state: ModelState, { watcher, set, forwarding }: Flight): Step[] {
  const record = recordRead(rules, state, watcher);
  const cached = rules.dont === "epoch read from a cache" && { cachedRecord: record };
  const why = forwarding.slow ? " for the slow lane" : "";
  const steps: Step[] = [
    [
      `reads the record${forwarding.timer === undefined ? why : " for a timer"}`,
      set({ ...watcher, ...cached, forwarding: { ...forwarding, record } }),
    ],
  ];
  const live = forwarding.timer === undefined && !forwarding.slow;
  const budget = live && spent(state, "fault");
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
  const revision = revisionFor(rules, watcher, record);
  const covered = (asked: PendingEntry, now: ObjectRecord) =>
    coveredLive({
      record: believedRecord(rules, state, now),
      entry: { objects: objectsOf(asked), anyDeleted: asked.deleted },
      revision,
    });
  const steps: Step[] = [];
  for (const { nowMs, next } of nows(state, record)) {
    const kind = judgeEntry(entry, record, { nowMs, covered });
    const done = without(watcher, "forwarding");
    if (kind === "send") steps.push(...sends(rules, next, { ...flight, record }));
    else if (kind === "held" && rules.dont !== "held key dropped")
      steps.push(["holds the key", set(putBack(done, forwarding), next)]);
    else steps.push([`drops the entry: ${kind}`, set(done, next)]);
  }
  return steps;
}

/** By its own clock: a lock whose run lives has expired only for one that is fast. */
function nows(state: ModelState, { runId, heldUntil }: ObjectRecord) {
  const later = heldUntil === undefined ? [] : [heldUntil + 1];
  const at = (times: readonly number[]) => times.map((nowMs) => ({ nowMs, next: state }));
  if (runId === undefined) return at([0, ...later]);
  if (!lockHolderLives(state, runId)) return at([0, 2, ...later]);
  const budget = spent(state, "fastClock");
  const fast = budget ? [{ nowMs: 2, next: { ...state, budget } }] : [];
  return [...at([0]), ...fast];
}

function sends(
  rules: Rules,
  state: ModelState,
  { watcher, set, forwarding, record }: Flight & { readonly record: ObjectRecord },
): Step[] {
  const { entry, timer } = forwarding;
  const { epoch, retryHandle } = record;
  const cause = entry.unique ? UNIQUE : causeOf(rules, epoch, timer);
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
