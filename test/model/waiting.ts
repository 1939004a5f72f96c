import { mergedEntries, type PendingEntry } from "../../watcher/pending-entry.ts";
import type { Rules } from "./rules.ts";
import type { Forwarding, ModelState, ModelWatcher } from "./state.ts";

/** The state with another watcher in the place of one. */
export type SetWatcher = (watcher: ModelWatcher, state?: ModelState) => ModelState;

/** The watcher with what it has to forward. */
export function noted(
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

/** A timer stays in the table; what else was not sent waits again. */
export function putBack(watcher: ModelWatcher, forwarding: Forwarding): ModelWatcher {
  const { entry, timer, slow } = forwarding;
  if (timer !== undefined || !watcher.leading) return watcher;
  if (slow) return { ...watcher, lane: watcher.lane ?? entry };
  const { waiting } = watcher;
  return { ...watcher, waiting: waiting ? mergedEntries(entry, waiting) : entry };
}

/** What an entry's condition hangs on, for states to be told apart. */
export function labelledEntry(entry: PendingEntry, label: object): PendingEntry {
  const { due } = entry;
  return { ...entry, ...(due && { due: Object.assign(due, { label: JSON.stringify(label) }) }) };
}
