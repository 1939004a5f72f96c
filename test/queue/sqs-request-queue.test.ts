import { randomUUID } from "node:crypto";
import { CreateQueueCommand, ReceiveMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { type SqsServer, startSqsServer } from "../../local/sqs-server.ts";
import type { LogFields } from "../../shared/api/log.ts";
import { systemClock } from "../../shared/clock.ts";
import type { ReconcileRequest } from "../../shared/queue/request.ts";
import { changeCause, decodeRequest } from "../../shared/queue/request-codec.ts";
import type { RequestQueue } from "../../shared/queue/request-queue.ts";
import { createSqsClient } from "../../shared/queue/sqs-client.ts";
import { createSqsRequestQueue, visibilitySeconds } from "../../shared/queue/sqs-request-queue.ts";
import { loggerOf } from "../../shared/telemetry/logger-of.ts";

const REQUEST: ReconcileRequest = {
  cluster: "prod",
  controller: "website",
  namespace: "shop",
  name: "blog",
  reason: "change",
};

let server: SqsServer;
let client: SQSClient;
let queue: RequestQueue;
let queueUrl: string;
let deadLetterQueueUrl: string;
let logged: { readonly level: string; readonly fields: LogFields | undefined }[];
let counted: Record<string, number>;
let labelled: object[];

beforeAll(async () => {
  const newId = () => randomUUID();
  const nothing = () => {};
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
  server = await startSqsServer({ clock: systemClock, newId, log });
  client = createSqsClient({
    endpoint: server.url,
    region: "us-east-1",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
  });
});

afterAll(async () => {
  client.destroy();
  await server.close();
});

beforeEach(async () => {
  [queueUrl, deadLetterQueueUrl] = [await newQueue(), await newQueue()];
  logged = [];
  counted = {};
  labelled = [];
  queue = createSqsRequestQueue({
    client,
    queueUrl,
    deadLetterQueueUrl,
    clock: { sleep: async () => {} },
    random: () => 0,
    newId: () => randomUUID(),
    log: loggerOf((level, _message, fields) => logged.push({ level, fields })),
    metrics: {
      count: (name, labels) => {
        counted[name] = (counted[name] ?? 0) + 1;
        labelled.push({ name, ...labels });
      },
      observe: () => {},
      gauge: () => {},
    },
  });
});

test("sends any number of requests, each in the group of its key", async () => {
  expect(await queue.send(outgoing(23))).toEqual(Array(23).fill(true));
  const names = (await receiveAll()).map(({ request }) => request.name);
  expect(names.sort()).toEqual(
    outgoing(23)
      .map(({ request }) => request.name)
      .sort(),
  );
  expect(counted).toEqual({ RequestsSent: 23 });
  expect(await queue.send([])).toEqual([]);
});

test("what is sent is counted by the reason that the request carries", async () => {
  for (const reason of ["change", "timer"] as const) {
    await queue.send([{ request: { ...REQUEST, reason }, cause: reason }]);
  }
  const { controller } = REQUEST;
  expect(labelled).toEqual([
    { name: "RequestsSent", controller, reason: "change" },
    { name: "RequestsSent", controller, reason: "timer" },
  ]);
});

test("a repeated cause is swallowed and told as sent, one of the next epoch is not (B02)", async () => {
  const send = (epoch: number) => queue.send([{ request: REQUEST, cause: changeCause(epoch) }]);
  expect([await send(1), await send(1), await send(2)]).toEqual([[true], [true], [true]]);
  expect(await receiveAll()).toHaveLength(2);
});

test("only the entries in Failed are sent again (B10)", async () => {
  server.core.inject({ action: "SendMessageBatch", failEntries: (index) => index >= 7 });
  expect(await queue.send(outgoing(10, "unique"))).toEqual(Array(10).fill(true));
  expect(await receiveAll()).toHaveLength(10);
  expect(counted).toEqual({ RequestsSent: 10 });
});

test("entries that keep failing are told as not sent and logged with their keys (B10)", async () => {
  server.core.inject({ action: "SendMessageBatch", failEntries: (index) => index >= 7 });
  server.core.inject({ action: "SendMessageBatch", times: 3, failEntries: () => true });
  const accepted = await queue.send(outgoing(10));
  expect(accepted).toEqual([...Array(7).fill(true), ...Array(3).fill(false)]);
  expect(await receiveAll()).toHaveLength(7);
  expect(counted).toEqual({ RequestsSent: 7, SendFailures: 3 });
  expect(logged.map(({ level, fields }) => [level, fields?.name])).toEqual([
    ["error", "n-7"],
    ["error", "n-8"],
    ["error", "n-9"],
  ]);
});

test("a call whose answer is lost is repeated under the same ids, so nothing runs twice for it", async () => {
  server.core.inject({ action: "SendMessageBatch", loseAnswer: true });
  expect(await queue.send(outgoing(3))).toEqual([true, true, true]);
  expect(await receiveAll()).toHaveLength(3);
});

test("never rejects: a queue that is not there accepts nothing", async () => {
  const missing = createSqsRequestQueue({
    client,
    queueUrl: `${queueUrl}-missing.fifo`,
    clock: { sleep: async () => {} },
    random: Math.random,
    newId: randomUUID,
    log: loggerOf(() => {}),
    metrics: { count: () => {}, observe: () => {}, gauge: () => {} },
  });
  expect(await missing.send(outgoing(2))).toEqual([false, false]);
  expect(await missing.delete(["handle"])).toEqual([false]);
  expect(await missing.changeVisibility([{ receiptHandle: "a", seconds: 1 }])).toEqual([false]);
  await expect(missing.wake("handle")).resolves.toBeUndefined();
  await expect(missing.deadLetter(REQUEST, "boom")).rejects.toThrow(
    "cannot give up website shop/blog: expected the URL of a dead-letter queue",
  );
});

test("acknowledges, and tells which handle it could not", async () => {
  await queue.send(outgoing(2));
  const handles = (await receiveAll()).map(({ handle }) => handle);
  const [first = "", second = ""] = handles;
  expect(await queue.delete([first, "not a handle", second])).toEqual([true, false, true]);
});

test("a message whose visibility is changed waits, and goes at once when it is woken", async () => {
  await queue.send(outgoing(1));
  const [{ handle } = { handle: "" }] = await receiveAll();
  expect(await queue.changeVisibility([{ receiptHandle: handle, seconds: 99.2 }])).toEqual([true]);
  expect(await receiveAll()).toEqual([]);
  await queue.wake(handle);
  expect(await receiveAll()).toHaveLength(1);
  await queue.wake("not a handle");
});

test("visibility is in whole seconds, rounded up, from 0 to 12 hours", () => {
  expect([-5, 0, 0.1, 7, 7.01, 99_999].map(visibilitySeconds)).toEqual([0, 0, 1, 7, 8, 43_200]);
});

test("a request that is given up lies in the dead-letter queue with its error, as often as it is", async () => {
  for (const error of ["boom\u0000", ""]) await queue.deadLetter(REQUEST, error);
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: deadLetterQueueUrl,
      MaxNumberOfMessages: 10,
      MessageAttributeNames: ["All"],
    }),
  );
  expect(Messages.map(({ MessageAttributes }) => MessageAttributes?.error?.StringValue)).toEqual([
    "boom?",
    "unknown",
  ]);
  expect(decodeRequest(Messages[0]?.Body ?? "")).toEqual({ ok: { ...REQUEST, reason: "redrive" } });
});

function outgoing(count: number, cause = changeCause(1)) {
  return Array.from({ length: count }, (_, index) => ({
    request: { ...REQUEST, name: `n-${index}` },
    cause,
  }));
}

async function newQueue(): Promise<string> {
  const { QueueUrl = "" } = await client.send(
    new CreateQueueCommand({
      QueueName: `q-${randomUUID()}.fifo`,
      Attributes: {
        FifoQueue: "true",
        DeduplicationScope: "messageGroup",
        FifoThroughputLimit: "perMessageGroupId",
      },
    }),
  );
  return QueueUrl;
}

async function receiveAll() {
  const received: { request: ReconcileRequest; handle: string }[] = [];
  for (;;) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 }),
    );
    if (Messages.length === 0) return received;
    for (const { Body = "", ReceiptHandle = "" } of Messages) {
      const decoded = decodeRequest(Body);
      if (!("ok" in decoded)) throw new Error(`expected a request, got ${Body}`);
      received.push({ request: decoded.ok, handle: ReceiptHandle });
    }
  }
}
