// The Lambda export as it is deployed: real SDK clients, a real SQS queue and DynamoDB table over the
// wire, and an API server over HTTP.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startDynamoDbServer } from "../../local/dynamodb-server.ts";
import { startSqsServer } from "../../local/sqs-server.ts";
import { defineController } from "../../shared/api/controller.ts";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { systemClock } from "../../shared/clock.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { createDynamoRecordStore } from "../../shared/queue/dynamo-record-store.ts";
import { ensureTable } from "../../shared/queue/dynamo-table.ts";
import { recordId } from "../../shared/queue/record-store.ts";
import { reconcileHandler } from "../../shared/worker/reconcile-handler.ts";
import { requestReconcile } from "../../shared/worker/request-reconcile.ts";
import type { SqsRecord } from "../../shared/worker/sqs-event.ts";
import { serveTransport } from "../support/api-server.ts";
import { FakeCluster } from "../support/fake-cluster.ts";
import { Site, site } from "../support/worker-host.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const key = { cluster: "main", controller: "site", namespace: "a", name: "x" };
const cluster = new FakeCluster({ clock: systemClock });
const before = { ...process.env };
const ends: (() => unknown)[] = [];
let sqs: SQSClient;
let queueUrl: string;

const controller = defineController({ name: "site", for: Site, owns: [ConfigMap] });
const handler = reconcileHandler(
  controller,
  {
    reconcile: async ({ spec }, { apply }) => {
      await apply(ConfigMap, { metadata: { name: "c" }, data: { host: spec.host } });
      return { requeueAfterSeconds: 30 };
    },
  },
  { middlewares: [{ before: () => void seen.push("before") }] },
);
const seen: string[] = [];

beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), "tidegate-worker-"));
  ends.push(() => rm(dir, { recursive: true, force: true }));
  const api = await serveTransport(cluster);
  ends.push(api.close);
  const queues = await startSqsServer({
    clock: systemClock,
    newId: randomUUID,
    log: silent,
    port: 0,
  });
  ends.push(() => queues.close());
  const tables = await startDynamoDbServer({ port: 0 });
  ends.push(() => tables.close());
  const access = join(dir, "access.json");
  await writeFile(access, JSON.stringify({ server: api.url, token: "token" }));
  Object.assign(process.env, {
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_SQS: queues.url,
    AWS_ENDPOINT_URL_DYNAMODB: tables.url,
    TIDEGATE_TABLE: "tidegate",
    TIDEGATE_CLUSTER: "main",
    TIDEGATE_REVISION: "r1",
    TIDEGATE_LOG_LEVEL: "error",
    TIDEGATE_KUBE_ACCESS: access,
  });
  const dynamo = createDynamoClient();
  await ensureTable(dynamo, "tidegate", systemClock);
  sqs = new SQSClient();
  ends.push(() => sqs.destroy());
  const created = await sqs.send(
    new CreateQueueCommand({ QueueName: "site.fifo", Attributes: { FifoQueue: "true" } }),
  );
  queueUrl = String(created.QueueUrl);
  process.env.TIDEGATE_QUEUE_URL = queueUrl;
  cluster.serve(Site);
  cluster.apply(site());
}, 20_000);

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});

async function receive(): Promise<readonly SqsRecord[]> {
  const input = { QueueUrl: queueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 };
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(input));
  return Messages.map(({ MessageId = "", ReceiptHandle = "", Body = "" }) => ({
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
  }));
}

test("a requested reconcile goes through the queue, the function, the cluster and the table", async () => {
  await requestReconcile(controller, { namespace: "a", name: "x" });
  const Records = await receive();
  expect(Records).toHaveLength(1);
  const endMs = systemClock.nowMs() + 30_000;
  const invocation = { getRemainingTimeInMillis: () => endMs - systemClock.nowMs() };
  expect(await handler({ Records }, invocation)).toEqual({ batchItemFailures: [] });
  expect(cluster.get(ConfigMap, { namespace: "a", name: "c" })?.data).toEqual({
    host: "x.example.com",
  });
  const store = createDynamoRecordStore({
    client: createDynamoClient(),
    tableName: "tidegate",
    clock: systemClock,
    random: Math.random,
  });
  const { records } = await store.read([key]);
  expect(records.get(recordId(key))).toMatchObject({
    epoch: 1,
    failures: 0,
    outcome: "requeue_after",
    revision: "r1",
    reason: "manual",
  });
  expect(seen).toEqual(["before"]);
}, 20_000);
