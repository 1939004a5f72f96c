// What Lambda calls, made from its environment, over real connections in real time: faults on each of them.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { startDynamoDbServer } from "../../local/dynamodb-server.ts";
import { startSqsServer } from "../../local/sqs-server.ts";
import { systemClock } from "../../shared/clock.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { createDynamoRecordStore } from "../../shared/queue/dynamo-record-store.ts";
import { ensureTable } from "../../shared/queue/dynamo-table.ts";
import type { ObjectRecord } from "../../shared/queue/record.ts";
import { recordId } from "../../shared/queue/record-store.ts";
import { encodeRequest } from "../../shared/queue/request-codec.ts";
import { reconcileHandler } from "../../shared/worker/reconcile-handler.ts";
import { FaultProxy } from "../support/fault-proxy.ts";
import { recordedLog } from "../support/recorded-log.ts";
import { startWireCluster, type WireCluster } from "../support/wire-cluster.ts";
import { copies, copying, copyOf, next, UNAVAILABLE } from "../support/wire-copies.ts";

const TABLE = "tidegate";
const ENVIRONMENT = { ...process.env };
/** Its log and its metrics go there, where nobody reads them now. */
const { stdout } = process;
const write = stdout.write.bind(stdout);

let cluster: WireCluster;
let table: FaultProxy;
let queue: FaultProxy;
let dir = "";
let client: ReturnType<typeof createDynamoClient>;
let names = 0;
const cleanUp: (() => unknown)[] = [];

beforeAll(async () => {
  stdout.write = () => true;
  cluster = await startWireCluster();
  dir = await mkdtemp(join(tmpdir(), "tidegate-handler-"));
  const dynamo = await startDynamoDbServer({});
  const { log } = recordedLog();
  const sqs = await startSqsServer({ clock: systemClock, newId: randomUUID, log });
  const proxy = (target: string) =>
    FaultProxy.start({ target, rest: cluster.rest, nowMs: systemClock.monotonicMs });
  [table, queue] = await Promise.all([proxy(dynamo.url), proxy(sqs.url)]);
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  client = createDynamoClient({ endpoint: dynamo.url, region: "us-east-1", credentials });
  await ensureTable(client, TABLE, systemClock);
  await writeToken(cluster.token);
  Object.assign(process.env, {
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_SQS: queue.url,
    AWS_ENDPOINT_URL_DYNAMODB: table.url,
    TIDEGATE_TABLE: TABLE,
    TIDEGATE_CLUSTER: "main",
    TIDEGATE_REVISION: "r1",
    TIDEGATE_QUEUE_URL: `${queue.url}/000000000000/none.fifo`,
    TIDEGATE_KUBE_ACCESS: join(dir, "access.json"),
    TIDEGATE_LOG_LEVEL: "error",
  });
  cleanUp.push(
    () => client.destroy(),
    () => table.close(),
    () => queue.close(),
    () => dynamo.close(),
    () => sqs.close(),
    () => cluster.close(),
    () => rm(dir, { recursive: true, force: true }),
  );
});

afterEach(() => {
  for (const proxy of [table, queue, cluster.requests]) proxy.plan = () => undefined;
});

afterAll(async () => {
  stdout.write = write;
  process.env = ENVIRONMENT;
  for (const step of cleanUp) await step();
});

function writeToken(token: string): Promise<void> {
  const { url: server, ca } = cluster.requests;
  return writeFile(join(dir, "access.json"), JSON.stringify({ server, ca, token }));
}

/** A function with one object to run; `invoke` resolves to how many of its messages stay. */
async function functionFor(value: string) {
  names += 1;
  const name = `x${names}`;
  await cluster.apply(name, value, { app: "copy" });
  const handler = reconcileHandler(copies() as never, copying as never);
  const request = { cluster: "main", controller: "copy", namespace: "default", name };
  const encoded = encodeRequest({ request: { ...request, reason: "change" }, cause: "epoch 0" });
  const message = { messageId: "m", receiptHandle: "h", body: encoded.MessageBody };
  const endMs = performance.now() + 10_000;
  const invocation = { getRemainingTimeInMillis: () => endMs - performance.now() };
  return {
    name,
    invoke: async () =>
      (await handler({ Records: [message] }, invocation)).batchItemFailures.length,
    record: () => recordOf(request),
  };
}

async function recordOf(key: Parameters<typeof recordId>[0]): Promise<ObjectRecord> {
  const parts = { client, tableName: TABLE, clock: systemClock, random: Math.random };
  const { records } = await createDynamoRecordStore(parts).read([key]);
  return records.get(recordId(key)) ?? { epoch: 0, failures: 0 };
}

test("a table and a queue that are unavailable for a moment cost a moment", async () => {
  const { invoke, record, name } = await functionFor("1");
  next(table, "UpdateItem", UNAVAILABLE, { kind: "reset" });
  next(queue, "ChangeMessageVisibilityBatch", UNAVAILABLE);
  expect(await invoke()).toBe(0);
  expect(await copyOf({ cluster }, name)).toBe("1");
  expect(await record()).toMatchObject({ epoch: 1, outcome: "success" });
});

test("Q2: where no start can be written nothing runs, and the message stays", async () => {
  const { invoke, record, name } = await functionFor("1");
  table.plan = ({ action }) => (action === "UpdateItem" ? UNAVAILABLE : undefined);
  const asked = cluster.requests.seen.length;
  expect(await invoke()).toBe(1);
  expect(cluster.requests.seen).toHaveLength(asked);
  expect(await copyOf({ cluster }, name)).toBeUndefined();
  expect((await record()).epoch).toBe(0);
});

test("Q6: where no end can be written the message stays", async () => {
  const { invoke, name } = await functionFor("1");
  table.plan = ({ action, body }) =>
    action === "UpdateItem" && body.includes(":outcome") ? UNAVAILABLE : undefined;
  expect(await invoke()).toBe(1);
  expect(await copyOf({ cluster }, name)).toBe("1");
});

test("B16: 503 with Retry-After leaves a timer of no less, and no message", async () => {
  const { invoke, record } = await functionFor("1");
  cluster.requests.plan = () => ({
    kind: "answer",
    status: 503,
    headers: { "retry-after": "20" },
  });
  const nowMs = Date.now();
  expect(await invoke()).toBe(0);
  const { dueAt = 0, outcome } = await record();
  expect(outcome).toBe("throttled");
  expect(dueAt - nowMs).toBeGreaterThanOrEqual(20_000);
});

test("B15, B31, B32: a warm function reads a token that was replaced, and runs what failed before", async () => {
  const { invoke, record, name } = await functionFor("1");
  cluster.requests.plan = () => ({ kind: "cut", afterBytes: 20 });
  expect(await invoke()).toBe(1);
  expect(await record()).toMatchObject({ outcome: "error", failures: 1 });
  await writeToken("new");
  const { token } = cluster;
  cluster.requests.plan = ({ authorization }) =>
    authorization === "Bearer new"
      ? { kind: "as", authorization: `Bearer ${token}` }
      : { kind: "answer", status: 401 };
  expect(await invoke()).toBe(0);
  expect(await record()).toMatchObject({ outcome: "success", failures: 0 });
  expect(await copyOf({ cluster }, name)).toBe("1");
  await writeToken(token);
});
