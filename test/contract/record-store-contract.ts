import { expect, test } from "@jest/globals";
import type { ObjectRecord, RunEnd, RunStart } from "../../shared/queue/record.ts";
import { shardOf } from "../../shared/queue/record-key.ts";
import { type RecordStore, type RevisionStore, recordId } from "../../shared/queue/record-store.ts";
import type { RequestKey } from "../../shared/queue/request.ts";

/** A store of records under test, empty for the clusters that a test makes up. */
export type OpenStore = () => RecordStore & RevisionStore;

const NOW_MS = Date.UTC(2026, 0, 1);
let clusters = 0;

/** A key of a cluster that no other test has. */
export function newKey(more: Partial<RequestKey> = {}): RequestKey {
  clusters += 1;
  const cluster = `cluster-${process.pid}-${clusters}`;
  return { cluster, controller: "website", namespace: "shop", name: "blog", ...more };
}

export function runStart(more: Partial<RunStart> = {}): RunStart {
  return { runId: "run-1", nowMs: NOW_MS, runUntil: NOW_MS + 65_000, reason: "change", ...more };
}

export function runEnd(more: Partial<RunEnd> = {}): RunEnd {
  const finishedAt = NOW_MS + 1_000;
  return { epoch: 1, outcome: "success", failures: 0, finishedAt, revision: "rev-1", ...more };
}

/** What every store of records must do. */
export function recordStoreContract(open: OpenStore): void {
  startContract(open);
  endContract(open);
  timerContract(open);
  readContract(open);
}

function startContract(open: OpenStore): void {
  test("a first start makes a record of epoch 1 that holds the lock", async () => {
    const store = open();
    const key = newKey();
    const record: ObjectRecord = {
      epoch: 1,
      failures: 1,
      runId: "run-1",
      runUntil: NOW_MS + 65_000,
      startedAt: NOW_MS,
      reason: "change",
    };
    expect(await store.start(key, runStart())).toEqual({ started: true, crashed: false, record });
    expect(await readOne(store, key)).toEqual(record);
  });

  test("of 50 starts at once one wins and 49 find its lock, 20 times over (B24)", async () => {
    const store = open();
    for (let round = 0; round < 20; round += 1) {
      const key = newKey();
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, run) => store.start(key, runStart({ runId: `run-${run}` }))),
      );
      expect(results.filter(({ started }) => started)).toHaveLength(1);
      expect(results.filter(({ started }) => !started)).toEqual(
        Array(49).fill({ started: false, runUntil: NOW_MS + 65_000 }),
      );
      expect(await readOne(store, key)).toMatchObject({ epoch: 1, failures: 1 });
    }
  }, 60_000);

  test("a start whose answer was lost meets its own lock and counts once", async () => {
    const store = open();
    const key = newKey();
    await store.start(key, runStart());
    const again = await store.start(key, runStart());
    expect(again).toMatchObject({ started: true, record: { epoch: 1, failures: 1 } });
    expect(await readOne(store, key)).toMatchObject({ epoch: 1, failures: 1 });
  });

  test("a lock holds until runUntil and is taken over after it, which shows the crash", async () => {
    const store = open();
    const key = newKey();
    await store.start(key, runStart());
    const runUntil = NOW_MS + 65_000;
    const next = { runId: "run-2", runUntil: runUntil + 65_000 };
    expect(await store.start(key, runStart({ ...next, nowMs: runUntil }))).toEqual({
      started: false,
      runUntil,
    });
    expect(await store.start(key, runStart({ ...next, nowMs: runUntil + 1 }))).toMatchObject({
      started: true,
      crashed: true,
      record: { epoch: 2, failures: 2, ...next },
    });
  });

  test("a start keeps the timer and clears the retry handle and the expiry (Q8, Q10)", async () => {
    const store = open();
    const key = newKey();
    await store.start(key, runStart());
    const left = { dueAt: NOW_MS + 30_000, retryHandle: "handle", expiresAt: 1_800_000_000 };
    await store.end(key, runEnd({ outcome: "error", failures: 1, ...left }));
    const { record } = await started(store, key, { runId: "run-2" });
    expect(record).toMatchObject({ epoch: 2, failures: 2, dueAt: left.dueAt, outcome: "error" });
    expect(record).not.toHaveProperty("retryHandle");
    expect(record).not.toHaveProperty("expiresAt");
    expect(await readOne(store, key)).toEqual(record);
  });

  test("a record past its TTL that is still there is judged by its lock, not by the TTL (B23)", async () => {
    const store = open();
    const key = newKey();
    await store.start(key, runStart());
    await store.end(key, runEnd({ outcome: "gone", expiresAt: 1 }));
    expect(await readOne(store, key)).toMatchObject({ epoch: 1, expiresAt: 1 });
    const { record } = await started(store, key, { runId: "run-2" });
    expect(record).toMatchObject({ epoch: 2, runId: "run-2" });
  });
}

function endContract(open: OpenStore): void {
  test("an end replaces every field, releases the lock and keeps startedAt and reason", async () => {
    const store = open();
    const key = newKey();
    await store.start(key, runStart());
    const full: Required<RunEnd> = {
      ...runEnd(),
      outcome: "error",
      error: "boom",
      failures: 1,
      postponed: 2,
      selfWakes: 11,
      selfWakesSince: NOW_MS - 9,
      heldUntil: NOW_MS + 7_000,
      dueAt: NOW_MS + 5_000,
      retryHandle: "handle",
      uid: "uid-1",
      generation: 3,
      seen: new Uint8Array([1, 2, 3]),
      applied: new Uint8Array([4]),
      expiresAt: 1_800_000_000,
    };
    expect(await store.end(key, full)).toBe(true);
    expect(await readOne(store, key)).toEqual({ ...full, startedAt: NOW_MS, reason: "change" });

    await started(store, key, { runId: "run-2", reason: "timer", nowMs: NOW_MS + 9 });
    expect(await store.end(key, runEnd({ epoch: 2 }))).toBe(true);
    const record = { ...runEnd({ epoch: 2 }), startedAt: NOW_MS + 9, reason: "timer" };
    expect(await readOne(store, key)).toEqual(record);
  });

  test("an end of an older epoch changes nothing (Q5)", async () => {
    const store = open();
    const key = newKey();
    await store.start(key, runStart());
    const later = { runId: "run-2", nowMs: NOW_MS + 70_000, runUntil: NOW_MS + 140_000 };
    const { record } = await started(store, key, later);
    expect(await store.end(key, runEnd({ epoch: 1 }))).toBe(false);
    expect(await readOne(store, key)).toEqual(record);
  });

  test("an end of a record that has expired from the table makes none", async () => {
    const store = open();
    const key = newKey();
    expect(await store.end(key, runEnd())).toBe(false);
    expect(await readOne(store, key)).toBeUndefined();
  });

  test("an end whose answer was lost is true again, and a timer cleared meanwhile stays cleared", async () => {
    const store = open();
    const key = newKey();
    const dueAt = NOW_MS + 5_000;
    await store.start(key, runStart());
    expect(await store.end(key, runEnd({ dueAt }))).toBe(true);
    expect(await store.clearTimer(key, { dueAt, epoch: 1 })).toBe(true);
    expect(await store.end(key, runEnd({ dueAt }))).toBe(true);
    expect(await readOne(store, key)).not.toHaveProperty("dueAt");
  });
}

function timerContract(open: OpenStore): void {
  test("a timer is cleared only while dueAt and epoch both hold (Q10)", async () => {
    const store = open();
    const key = newKey();
    const dueAt = NOW_MS + 5_000;
    await store.start(key, runStart());
    await store.end(key, runEnd({ dueAt }));
    expect(await store.clearTimer(key, { dueAt: dueAt + 1, epoch: 1 })).toBe(false);
    await started(store, key, { runId: "run-2" });
    expect(await store.clearTimer(key, { dueAt, epoch: 1 })).toBe(false);
    await store.end(key, runEnd({ epoch: 2, dueAt }));
    expect(await store.clearTimer(key, { dueAt, epoch: 1 })).toBe(false);
    expect(await readOne(store, key)).toMatchObject({ dueAt });
    expect(await store.clearTimer(key, { dueAt, epoch: 2 })).toBe(true);
    expect(await dueKeys(store, key)).toEqual([]);
  });

  test("due timers come oldest first, of their own cluster and shard, up to the limit", async () => {
    const store = open();
    const key = newKey();
    const names = ["a", "b", "c", "d", "e"];
    const keys = names.map((name) => ({ ...sameShard(key, name) }));
    for (const [index, other] of keys.entries()) {
      await store.start(other, runStart());
      await store.end(other, runEnd({ dueAt: NOW_MS + 5_000 - index * 1_000 }));
    }
    const query = { cluster: key.cluster, shard: shardOf(key), limit: 10 };
    const due = await store.due({ ...query, nowMs: NOW_MS + 4_000 });
    expect(due.map((timer) => timer.dueAt - NOW_MS)).toEqual([1_000, 2_000, 3_000, 4_000]);
    expect(due.map((timer) => timer.key)).toEqual(keys.slice(1).reverse());
    const first = await store.due({ ...query, nowMs: NOW_MS + 4_000, limit: 1 });
    expect(first).toEqual(due.slice(0, 1));
    expect(await store.due({ ...query, cluster: "other", nowMs: NOW_MS + 9_000 })).toEqual([]);
    const elsewhere = { ...query, shard: (query.shard + 1) % 16, nowMs: NOW_MS + 9_000 };
    expect(await store.due(elsewhere)).toEqual([]);
  });

  test("an end without a timer takes the key out of the due timers", async () => {
    const store = open();
    const key = newKey();
    await store.start(key, runStart());
    await store.end(key, runEnd({ dueAt: NOW_MS }));
    expect(await dueKeys(store, key)).toEqual([key]);
    await started(store, key, { runId: "run-2" });
    expect(await dueKeys(store, key)).toEqual([key]); // Q8: a start keeps it.
    await store.end(key, runEnd({ epoch: 2 }));
    expect(await dueKeys(store, key)).toEqual([]);
  });
}

function readContract(open: OpenStore): void {
  test("reads any number of keys, some twice and some without a record", async () => {
    const store = open();
    const key = newKey();
    const keys = Array.from({ length: 230 }, (_, index) => ({ ...key, name: `n-${index}` }));
    const written = keys.filter((_, index) => index % 10 === 0);
    for (const one of written) await store.start(one, runStart());
    const { records, unread } = await store.read([...keys, ...keys.slice(0, 20)]);
    expect(unread).toEqual([]);
    expect([...records.keys()].sort()).toEqual(written.map(recordId).sort());
    expect(await store.read([])).toEqual({ records: new Map(), unread: [] });
  });

  test("lists all records of a controller and nothing else", async () => {
    const store = open();
    const key = newKey();
    const keys = Array.from({ length: 40 }, (_, index) => ({ ...key, name: `n-${index}` }));
    for (const one of [...keys, { ...key, controller: "other" }]) {
      await store.start(one, runStart());
    }
    const found = [];
    for await (const page of store.list(key)) found.push(...page);
    expect(found.map(({ key: one }) => recordId(one)).sort()).toEqual(keys.map(recordId).sort());
    expect(new Set(found.map(({ record }) => record.epoch))).toEqual(new Set([1]));
  });

  test("keeps the longest key and a cluster-scoped one apart from all others (B37)", async () => {
    const store = open();
    const long = newKey({ namespace: "n".repeat(63), name: "o".repeat(253) });
    const scoped = { ...long, namespace: "", name: "system:node:a" };
    for (const key of [long, scoped]) await started(store, key, { reason: key.name });
    expect(await readOne(store, long)).toMatchObject({ reason: long.name });
    expect(await readOne(store, scoped)).toMatchObject({ reason: scoped.name });
    const found = [];
    for await (const page of store.list(long)) found.push(...page.map(({ key }) => key));
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining([long, scoped]));
  });

  test("keeps one revision a controller and cluster", async () => {
    const store = open();
    const { cluster } = newKey();
    expect(await store.revisions(cluster)).toEqual(new Map());
    await store.putRevision(cluster, "website", "rev-1");
    await store.putRevision(cluster, "website", "rev-2");
    await store.putRevision(cluster, "other", "rev-3");
    expect(await store.revisions(cluster)).toEqual(
      new Map([
        ["website", "rev-2"],
        ["other", "rev-3"],
      ]),
    );
    expect(await store.revisions(`${cluster}-b`)).toEqual(new Map());
  });
}

async function readOne(store: RecordStore, key: RequestKey): Promise<ObjectRecord | undefined> {
  return (await store.read([key])).records.get(recordId(key));
}

async function started(store: RecordStore, key: RequestKey, more: Partial<RunStart>) {
  const result = await store.start(key, runStart(more));
  if (!result.started) throw new Error("expected the start to take the lock");
  return result;
}

async function dueKeys(store: RecordStore, key: RequestKey): Promise<readonly RequestKey[]> {
  const nowMs = NOW_MS + 1_000_000;
  const query = { cluster: key.cluster, shard: shardOf(key), nowMs, limit: 100 };
  return (await store.due(query)).map((timer) => timer.key);
}

/** A key like another, of a name that falls into the same shard. */
function sameShard(key: RequestKey, prefix: string): RequestKey {
  for (let suffix = 0; ; suffix += 1) {
    const other = { ...key, name: `${prefix}-${suffix}` };
    if (shardOf(other) === shardOf(key)) return other;
  }
}
