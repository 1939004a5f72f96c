import { expect, test } from "@jest/globals";
import type { ObjectRecord } from "../../shared/queue/record.ts";
import { judgeEntry } from "../../watcher/judge-entry.ts";
import {
  backfillEntry,
  mergedEntries,
  type PendingEntry,
  resyncEntry,
} from "../../watcher/pending-entry.ts";

const key = { cluster: "c", controller: "w", namespace: "a", name: "web" };

function entry(more: Partial<PendingEntry> = {}): PendingEntry {
  const objects = new Map([["web", { fingerprint: "1", deleting: false }]]);
  return { key, reason: "change", objects, deleted: false, waits: 0, ...more };
}

const record = (more: Partial<ObjectRecord> = {}): ObjectRecord => ({
  epoch: 3,
  failures: 0,
  ...more,
});

function judged(asked: PendingEntry, found: ObjectRecord, covers = false) {
  return judgeEntry(asked, found, { nowMs: 1_000, covered: () => covers });
}

const deleting = new Map([
  ["child", { fingerprint: "1", deleting: false }],
  ["web", { fingerprint: "2", deleting: true }],
]);

test.each<[string, Partial<PendingEntry>, "held" | "send"]>([
  ["a change waits", {}, "held"],
  ["a deletion does not", { deleted: true }, "send"],
  ["nor does an object that is marked for deletion", { objects: deleting }, "send"],
  ["nor does what was asked for otherwise", { always: true }, "send"],
])("of a key that is slowed for waking itself: %s", (_, change, expected) => {
  expect(judged(entry(change), record({ heldUntil: 1_001 }))).toBe(expected);
  expect(judged(entry(change), record({ heldUntil: 1_000 }))).toBe("send");
});

test("all that two of a key ask for is asked for by one, whichever came first", () => {
  const asks = entry({ always: true, unique: true, deleted: true, remapped: true });
  for (const merged of [mergedEntries(asks, entry()), mergedEntries(entry(), asks)]) {
    expect(merged).toMatchObject({ always: true, unique: true, deleted: true, remapped: true });
  }
});

const died = record({ epoch: 4, runId: "dead", runUntil: 1 });

test.each<
  [string, { before: ObjectRecord; now: ObjectRecord; rejudge?: boolean }, "stale" | "send"]
>([
  ["nothing happened since", { before: record(), now: record() }, "send"],
  ["a run started since, and ended", { before: record(), now: record({ epoch: 4 }) }, "stale"],
  ["a run started since, and died", { before: record(), now: died }, "send"],
  ["the run of then has ended: all seen", { before: died, now: record({ epoch: 4 }) }, "stale"],
  [
    "the run of then has ended: something is left",
    { before: died, now: record({ epoch: 4 }), rejudge: true },
    "send",
  ],
])("a key that a backfill found changed, looked at again: %s", (_, looked, expected) => {
  const { before, now, rejudge = false } = looked;
  expect(
    judged(
      backfillEntry(key, before, () => rejudge),
      now,
      true,
    ),
  ).toBe(expected);
});

test.each<[string, Partial<ObjectRecord>, "stale" | "send"]>([
  ["nothing ran since", {}, "send"],
  ["a run started since, and died", { epoch: 4, runId: "dead", runUntil: 1 }, "stale"],
  ["the run of then has ended", { finishedAt: 900 }, "stale"],
])("a key that is due for a resync, looked at again: %s", (_, since, expected) => {
  const before = record({ finishedAt: 500 });
  expect(judged(resyncEntry(key, before), { ...before, ...since })).toBe(expected);
});
