import { afterEach, expect, test } from "@jest/globals";
import { readRecords } from "../../shared/queue/dynamo-read.ts";
import { createDynamoRecordStore } from "../../shared/queue/dynamo-record-store.ts";
import { recordItemKey, recordPartition } from "../../shared/queue/record-key.ts";
import { recordId } from "../../shared/queue/record-store.ts";
import { scriptedDynamoDb } from "./scripted-dynamodb.ts";

interface Keys {
  readonly Keys: readonly { readonly pk: { S: string }; readonly sk: { S: string } }[];
  readonly ConsistentRead?: boolean;
}

let close = async () => {};
afterEach(() => close());

/** A table that answers each call by this, and a clock that runs only while it is slept on. */
async function table(answer: (request: Keys, call: number) => { found: number } | number) {
  const requests: Keys[] = [];
  const service = await scriptedDynamoDb((_action, input) => {
    const asked = (input as { RequestItems: { t: Keys } }).RequestItems.t;
    requests.push(asked);
    const result = answer(asked, requests.length);
    if (typeof result === "number") {
      return { status: result, body: { __type: "x#ValidationException", message: "no" } };
    }
    const items = asked.Keys.slice(0, result.found).map((key) => ({ ...key, epoch: { N: "4" } }));
    const left = asked.Keys.slice(result.found);
    const UnprocessedKeys = left.length > 0 ? { t: { Keys: left } } : {};
    return { status: 200, body: { Responses: { t: items }, UnprocessedKeys } };
  });
  close = service.close;
  return { requests, clock: service.table.clock, table: service.table };
}

const keys = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    cluster: "c",
    controller: "w",
    namespace: "n",
    name: `o-${index}`,
  }));

test("unprocessed keys are asked for again, alone and strongly consistently", async () => {
  const { table: records, requests } = await table(() => ({ found: 2 }));
  const { records: found, unread } = await readRecords(records, keys(5));
  expect(unread).toEqual([]);
  expect([...found.keys()]).toEqual(keys(5).map(recordId));
  expect([...found.values()][0]).toEqual({ epoch: 4, failures: 0 });
  expect(requests.map(({ Keys }) => Keys.length)).toEqual([5, 3, 1]);
  expect(requests.every(({ ConsistentRead }) => ConsistentRead)).toBe(true);
});

test("keys that stay unprocessed for a second are unread, never absent (Q9)", async () => {
  const { table: records, clock } = await table((_, call) => ({ found: call === 1 ? 1 : 0 }));
  const { records: found, unread } = await readRecords(records, keys(3));
  expect([...found.keys()]).toEqual(keys(1).map(recordId));
  expect(unread).toEqual(keys(3).slice(1));
  expect(clock.monotonicMs()).toBeGreaterThan(500);
  expect(clock.monotonicMs()).toBeLessThanOrEqual(1_000);
});

test("the keys of a call that fails are unread, those of the others are read", async () => {
  const has = ({ Keys }: Keys, sk: string) => Keys.some((key) => key.sk.S === sk);
  const { table: records } = await table((asked) => (has(asked, "n/o-0") ? 400 : { found: 100 }));
  const { records: found, unread } = await readRecords(records, keys(150));
  expect(unread).toEqual(keys(100));
  expect(found.size).toBe(50);
});

test("rejects when nothing at all could be read", async () => {
  const { table: records } = await table(() => 400);
  await expect(readRecords(records, keys(150))).rejects.toThrow("no");
});

test("a key is asked for once, however often it is named", async () => {
  const { table: records, requests } = await table(() => ({ found: 100 }));
  await readRecords(records, [...keys(3), ...keys(3)]);
  expect(requests.map(({ Keys }) => Keys.map((key) => key.sk.S))).toEqual([
    keys(3).map((key) => recordItemKey(key).sk),
  ]);
});

test("records and timers are read to their last page, also past one that is empty", async () => {
  const names = [["o-0"], [], ["o-1"]];
  const page = (start: string | undefined, partition: string) => {
    const index = Number(start ?? 0);
    const items = (names[index] ?? []).map((name) => ({
      pk: { S: partition },
      sk: { S: `n/${name}` },
      epoch: { N: "4" },
      dueAt: { N: "5" },
    }));
    const next = { pk: { S: partition }, sk: { S: String(index + 1) } };
    return { Items: items, ...(index + 1 < names.length && { LastEvaluatedKey: next }) };
  };
  const first = recordPartition({ cluster: "c", controller: "w" }, 0);
  const service = await scriptedDynamoDb((_action, input) => {
    const asked = input as {
      ExclusiveStartKey?: { sk: { S: string } };
      ExpressionAttributeValues: { ":pk"?: { S: string } };
    };
    const partition = asked.ExpressionAttributeValues[":pk"]?.S ?? first;
    const body = partition === first ? page(asked.ExclusiveStartKey?.sk.S, first) : { Items: [] };
    return { status: 200, body };
  });
  close = service.close;
  const store = createDynamoRecordStore(service.table);
  const listed: string[] = [];
  for await (const some of store.list({ cluster: "c", controller: "w" })) {
    listed.push(...some.map(({ key }) => key.name));
  }
  expect(listed).toEqual(["o-0", "o-1"]);
  const timers = await store.due({ cluster: "c", shard: 0, nowMs: 9, limit: 10 });
  expect(timers.map(({ key }) => key.name)).toEqual(["o-0", "o-1"]);
});
