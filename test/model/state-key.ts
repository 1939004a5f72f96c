import type { ObjectRecord } from "../../shared/queue/record.ts";
import type { PendingEntry } from "../../watcher/pending-entry.ts";
import type { ModelState, ModelWatcher, ModelWorker } from "./state.ts";
import { relevantWindow } from "./steps.ts";

/**
 * A text that is the same for states of which the same can come. Watchers and workers of a kind are
 * alike, so their order does not count; nor does that of changes of different objects.
 */
export function stateKey(state: ModelState): string {
  const { record, before, cluster, messages, watchers, workers, late, budget } = state;
  return [
    json(cluster),
    textOf(record),
    textOf(before),
    json(messages),
    [...relevantWindow(state)].sort().join(),
    watchers.map(watcherKey).sort().join("|"),
    workers.map(workerKey).sort().join("|"),
    json(late),
    Object.values(budget).join(),
  ].join("\n");
}

/** Values are never changed, so each is written once. */
const texts = new WeakMap<object, string>();

function remembered<T extends object>(value: T, write: (value: T) => string): string {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = write(value);
  texts.set(value, text);
  return text;
}

function json(value: object): string {
  return remembered(value, (each) => JSON.stringify(each, withoutBytes));
}

function withoutBytes(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}

function textOf(record: ObjectRecord | null | undefined): string {
  return record ? remembered(record, recordKey) : String(record);
}

function recordKey(record: ObjectRecord): string {
  return JSON.stringify(Object.entries(record).sort(byName), withoutBytes);
}

function watcherKey(watcher: ModelWatcher): string {
  return remembered(watcher, (each) => {
    const { up, leading, cache, feed, backfill, waiting, lane, forwarding, ...rest } = each;
    const changes = ["primary", "secondary"].map((name) => feed.filter((one) => one.name === name));
    const { knows, repeats, resynced, sentEpochs, cachedRecord } = rest;
    const { entry, record, timer, slow, sent } = forwarding ?? {};
    const told = [knows, repeats, resynced, sentEpochs];
    return [
      JSON.stringify([up, leading, cache, changes, backfill, timer, slow, sent, told]),
      entryKey(waiting),
      entryKey(lane),
      entryKey(entry),
      forwarding ? textOf(record) : "",
      textOf(cachedRecord),
    ].join(";");
  });
}

function entryKey(entry: PendingEntry | undefined): string {
  if (!entry) return "";
  const { objects, deleted, remapped, always, unique, due } = entry;
  const label = (due as { label?: string } | undefined)?.label;
  const flags = [deleted, remapped ?? false, always ?? false, unique ?? false].map(Number);
  return JSON.stringify([[...objects].sort(byName), flags.join(""), label]);
}

function workerKey(worker: ModelWorker): string {
  return remembered(worker, (each) => {
    const { phase, handles, triggers, runId, revision, record, seen, sightings, keepsFirst } = each;
    const rest = [phase, handles, triggers, runId, revision, seen, sightings, keepsFirst];
    return `${JSON.stringify(rest, withoutBytes)};${textOf(record)}`;
  });
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
