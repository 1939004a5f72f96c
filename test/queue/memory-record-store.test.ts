import { describe, expect, test } from "@jest/globals";
import { recordId } from "../../shared/queue/record-store.ts";
import { MemoryRecordStore } from "../../shared/testing/memory-record-store.ts";
import {
  newKey,
  recordStoreContract,
  runEnd,
  runStart,
} from "../contract/record-store-contract.ts";

describe("memory", () => {
  const store = new MemoryRecordStore();
  recordStoreContract(() => store);
});

test("a fault before a start leaves no trace, one after it leaves the lock", async () => {
  const store = new MemoryRecordStore();
  const key = newKey();
  store.failNext("start", { times: 2 });
  await expect(store.start(key, runStart())).rejects.toThrow("cannot start record");
  await expect(store.start(key, runStart())).rejects.toThrow("cannot start record");
  expect(store.record(key)).toBeUndefined();
  store.failNext("start", { when: "after" });
  await expect(store.start(key, runStart())).rejects.toThrow("cannot start record");
  expect(store.record(key)).toMatchObject({ epoch: 1, runId: "run-1" });
  expect(await store.end(key, runEnd())).toBe(true);
});

test("keys left unread are told apart from those without a record (Q9)", async () => {
  const store = new MemoryRecordStore();
  const [a, b, c] = [newKey(), newKey(), newKey()];
  for (const key of [a, b]) await store.start(key, runStart());
  store.leaveUnread(b);
  const { records, unread } = await store.read([a, b, c, b]);
  expect([...records.keys()]).toEqual([recordId(a)]);
  expect(unread).toEqual([b]);
  store.readAgain();
  expect((await store.read([b])).unread).toEqual([]);
});
