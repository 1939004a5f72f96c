import { expect, test } from "@jest/globals";
import { PendingChanges } from "../../watcher/pending-changes.ts";
import type { PendingEntry } from "../../watcher/pending-entry.ts";

function entry(name: string, change: Partial<PendingEntry> = {}): PendingEntry {
  return {
    key: { cluster: "test", controller: "widgets", namespace: "a", name },
    reason: "change",
    objects: new Map(),
    deleted: false,
    waits: 0,
    ...change,
  };
}

const object = (fingerprint: string) => ({ fingerprint, deleting: false });
const free = () => false;

test("changes of one key become one entry with the newest version of each object", () => {
  const pending = new PendingChanges();
  const first = new Map([
    ["widget", object("w1")],
    ["child", object("c1")],
  ]);
  pending.add(entry("web", { objects: first, changedAtMs: 5 }), 0);
  pending.add(entry("web", { objects: new Map([["widget", object("w2")]]), changedAtMs: 7 }), 10);
  expect(pending.take(49, free)).toEqual([]);
  expect(pending.take(50, free)).toMatchObject([
    {
      objects: new Map([
        ["widget", object("w2")],
        ["child", object("c1")],
      ]),
      changedAtMs: 5,
    },
  ]);
  expect(pending.size).toBe(0);
});

test("what one change asks for is not undone by a later one", () => {
  const pending = new PendingChanges();
  pending.add(entry("web", { deleted: true, always: true, due: () => false }), 0);
  pending.add(entry("web"), 0);
  const [taken] = pending.take(50, free);
  expect(taken).toMatchObject({ deleted: true, always: true });
  expect(taken).not.toHaveProperty("due");
});

test("an entry that is put back joins what came meanwhile, which is newer", () => {
  const pending = new PendingChanges();
  pending.add(entry("web", { objects: new Map([["widget", object("w2")]]) }), 0);
  const older = new Map([
    ["widget", object("w1")],
    ["child", object("c1")],
  ]);
  pending.putBack(entry("web", { objects: older, deleted: true, waits: 3 }), 1_000);
  expect(pending.take(999, free)).toEqual([]);
  expect(pending.readyAtMs()).toBe(1_000);
  pending.add(entry("web", { objects: new Map([["third", object("t1")]]) }), 999);
  expect(pending.take(1_000, free)).toMatchObject([
    {
      objects: new Map([
        ["widget", object("w2")],
        ["child", object("c1")],
        ["third", object("t1")],
      ]),
      deleted: true,
      waits: 3,
    },
  ]);
});

test("the entry of a busy key stays, and at most a hundred are taken at once", () => {
  const pending = new PendingChanges();
  for (let count = 0; count < 150; count += 1) pending.add(entry(`w${count}`), 0);
  const taken = pending.take(0, (id) => id.endsWith("/w0"));
  expect(taken).toHaveLength(100);
  expect(pending.size).toBe(50);
  expect(pending.take(50, free)).toHaveLength(50);
});

test("what was put back for long holds up nothing that was put back for less", () => {
  const pending = new PendingChanges();
  pending.putBack(entry("long"), 30_000);
  pending.putBack(entry("short"), 100);
  expect(pending.readyAtMs()).toBe(100);
  expect(pending.take(100, free).map(({ key }) => key.name)).toEqual(["short"]);
  expect(pending.readyAtMs()).toBe(30_000);
});
