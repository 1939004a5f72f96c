import { randomUUID } from "node:crypto";
import { type AttributeValue, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type DynamoDbServer, startDynamoDbServer } from "../../local/dynamodb-server.ts";
import { systemClock } from "../../shared/clock.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { createDynamoRecordStore } from "../../shared/queue/dynamo-record-store.ts";
import { createDynamoRevisionStore } from "../../shared/queue/dynamo-revision-store.ts";
import { ensureTable } from "../../shared/queue/dynamo-table.ts";
import { recordItemKey } from "../../shared/queue/record-key.ts";
import { type RecordStore, type RevisionStore, recordId } from "../../shared/queue/record-store.ts";
import { ServerClock } from "../../shared/queue/server-clock.ts";
import { MemoryRecordStore } from "../../shared/testing/memory-record-store.ts";
import {
  newKey,
  recordStoreContract,
  runEnd,
  runStart,
} from "../contract/record-store-contract.ts";

const NOW_MS = Date.UTC(2026, 0, 1);

let server: DynamoDbServer;
let client: ReturnType<typeof createDynamoClient>;
let store: RecordStore & RevisionStore;
const fastMachine = { ...systemClock, nowMs: () => systemClock.nowMs() + 300_000 };
const serverClock = new ServerClock(fastMachine);

beforeAll(async () => {
  server = await startDynamoDbServer({});
  client = createDynamoClient({
    endpoint: server.url,
    region: "us-east-1",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
    observer: serverClock,
  });
  await ensureTable(client, "tidegate", systemClock);
  const table = { client, tableName: "tidegate", clock: systemClock, random: Math.random };
  store = { ...createDynamoRecordStore(table), ...createDynamoRevisionStore(table) };
});

afterAll(async () => {
  client.destroy();
  await server.close();
});

describe("dynamodb", () => recordStoreContract(() => store));

test("the table is left as it is when it is there already", async () => {
  const key = newKey();
  await store.start(key, runStart());
  await ensureTable(client, "tidegate", systemClock);
  expect((await store.read([key])).records.get(recordId(key))).toMatchObject({ epoch: 1 });
});

test("a machine that is five minutes fast has the server's time by the answers' Date headers", () => {
  expect(Math.abs(serverClock.nowMs() - systemClock.nowMs())).toBeLessThan(1_500);
  expect(Math.abs(serverClock.skewMs() - 300_000)).toBeLessThan(1_500);
});

test("a failed record of usual size stays under 1 KB, so that a write costs one unit", async () => {
  const key = newKey({
    cluster: "production-eu-1",
    namespace: "team-shop",
    name: "website-frontend",
  });
  await store.start(key, runStart({ runId: randomUUID() }));
  const end = runEnd({
    outcome: "error",
    error: "e".repeat(256),
    failures: 3,
    dueAt: NOW_MS,
    retryHandle: "h".repeat(340),
    uid: randomUUID(),
    generation: 12,
    revision: "r".repeat(16),
    seen: new Uint8Array(1 + 4 * 14),
  });
  expect(await store.end(key, end)).toBe(true);
  const { pk, sk } = recordItemKey(key);
  const place = { TableName: "tidegate", Key: { pk: { S: pk }, sk: { S: sk } } };
  const { Item = {} } = await client.send(new GetItemCommand(place));
  expect(sizeOf(Item)).toBeGreaterThan(800);
  expect(sizeOf(Item)).toBeLessThan(1_024);
});

test("rejects when the table cannot be reached, and when nothing at all could be read", async () => {
  const table = { client, tableName: "missing", clock: systemClock, random: Math.random };
  const missing = createDynamoRecordStore(table);
  await expect(missing.read([newKey()])).rejects.toThrow("cannot use table missing");
  await expect(missing.start(newKey(), runStart())).rejects.toThrow("cannot use table missing");
});

test("rejects a time that is not a number before anything is sent", async () => {
  const key = newKey();
  const start = runStart({ runUntil: Number.NaN });
  await expect(store.start(key, start)).rejects.toThrow("expected a finite number, got NaN");
  expect((await store.read([key])).records.size).toBe(0);
});

test("answers like the memory store to any sequence of operations", async () => {
  const run = fc.constantFrom("run-1", "run-2", "run-3");
  const moment = fc.integer({ min: 1, max: 6 });
  const epoch = fc.integer({ min: 0, max: 4 });
  const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const operation = fc.oneof(
    fc.record({ runId: run, at: moment }).map(({ runId, at }) => ({
      name: "start" as const,
      start: runStart({ runId, nowMs: at, runUntil: at + 2 }),
    })),
    fc
      .record({ epoch, dueAt: some(moment), error: some(fc.string({ minLength: 1 })) })
      .map(({ epoch: ofRun, dueAt, error }) => ({
        name: "end" as const,
        end: runEnd({
          epoch: ofRun,
          outcome: "error",
          ...(dueAt === undefined ? {} : { dueAt, retryHandle: "h", seen: Uint8Array.of(dueAt) }),
          ...(error === undefined ? {} : { error }),
        }),
      })),
    fc.record({ epoch, dueAt: moment }).map((timer) => ({ name: "clearTimer" as const, timer })),
  );
  type Operation = typeof operation extends fc.Arbitrary<infer O> ? O : never;
  const act = (on: RecordStore, key: ReturnType<typeof newKey>, step: Operation) =>
    step.name === "start"
      ? on.start(key, step.start)
      : step.name === "end"
        ? on.end(key, step.end)
        : on.clearTimer(key, step.timer);

  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 4, maxLength: 14 }), async (steps) => {
      const key = newKey();
      const memory = new MemoryRecordStore();
      for (const step of steps) {
        expect(await act(store, key, step)).toEqual(await act(memory, key, step));
        expect(await store.read([key])).toEqual(await memory.read([key]));
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
function sizeOf(item: Readonly<Record<string, AttributeValue>>): number {
  return Object.entries(item).reduce((bytes, [name, { N, S, B }]) => {
    const number = N === undefined ? 0 : Math.ceil(N.length / 2) + 1;
    return bytes + name.length + number + Buffer.byteLength(S ?? "") + (B?.length ?? 0);
  }, 0);
}
