import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import fc from "fast-check";
import { SQS_ACTIONS } from "../../local/sqs-actions.ts";
import { type SqsServer, startSqsServer } from "../../local/sqs-server.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { quietLog, sequentialIds } from "./sqs-fixtures.ts";

const clock = new VirtualClock(Date.UTC(2026, 5, 1));
let server: SqsServer;
let QueueUrl = "";

beforeEach(async () => {
  server = await startSqsServer({ clock, newId: sequentialIds(), log: quietLog });
  const made = await post("CreateQueue", {
    QueueName: "q.fifo",
    Attributes: { FifoQueue: "true" },
  });
  ({ QueueUrl } = JSON.parse(made.body));
});
afterEach(async () => {
  await server.close();
});

test("an error is answered as AWS does: status, type, code and time", async () => {
  const { status, headers, body } = await post("SendMessage", {
    QueueUrl: "http://x/000000000000/no",
  });
  expect(status).toBe(400);
  expect(JSON.parse(body)).toEqual({
    __type: "com.amazonaws.sqs#QueueDoesNotExist",
    message: "The specified queue does not exist: http://x/000000000000/no",
  });
  expect(headers.get("x-amzn-query-error")).toBe("AWS.SimpleQueueService.NonExistentQueue;Sender");
  expect(headers.get("content-type")).toBe("application/x-amz-json-1.0");
  expect(headers.get("x-amzn-requestid")).toBeTruthy();
  expect(headers.get("date")).toBe("Mon, 01 Jun 2026 00:00:00 GMT");
});

test.each([
  {
    wrong: "an unknown action",
    action: "AmazonSQS.NoSuch",
    body: "{}",
    type: "UnknownOperationException",
  },
  {
    wrong: "an inherited name",
    action: "AmazonSQS.toString",
    body: "{}",
    type: "UnknownOperationException",
  },
  {
    wrong: "another service",
    action: "DynamoDB.ListTables",
    body: "{}",
    type: "UnknownOperationException",
  },
  {
    wrong: "torn JSON",
    action: "AmazonSQS.ListQueues",
    body: '{"a"',
    type: "SerializationException",
  },
  { wrong: "a list", action: "AmazonSQS.ListQueues", body: "[]", type: "SerializationException" },
  { wrong: "null", action: "AmazonSQS.ListQueues", body: "null", type: "SerializationException" },
  {
    wrong: "a number as a name",
    action: "AmazonSQS.GetQueueUrl",
    body: '{"QueueName":1}',
    type: "SerializationException",
  },
])("rejects $wrong with $type", async ({ action, body, type }) => {
  const answer = await raw({ "x-amz-target": action }, body);
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.body).__type).toBe(`com.amazon.coral.service#${type}`);
});

test("rejects a request of the old query protocol", async () => {
  const answer = await raw({}, "Action=ListQueues");
  expect([answer.status, JSON.parse(answer.body).__type]).toEqual([
    400,
    "com.amazon.coral.service#UnknownOperationException",
  ]);
});

test("rejects a body of more than 8 MiB and goes on", async () => {
  const answer = await raw({ "x-amz-target": "AmazonSQS.ListQueues" }, " ".repeat(9 * 1_048_576));
  expect(JSON.parse(answer.body).__type).toBe("com.amazon.coral.service#SerializationException");
  expect((await post("ListQueues", {})).status).toBe(200);
});

test("no input whatever makes the server fail", async () => {
  const fields = ["QueueUrl", "QueueName", "Attributes", "Entries", "MessageBody", "ReceiptHandle"]
    .concat(["MessageAttributes", "MaxNumberOfMessages", "AttributeNames", "SourceArn"])
    .concat(["MessageGroupId", "MessageDeduplicationId", "VisibilityTimeout"]);
  const value = fc.oneof(fc.jsonValue(), fc.constant(QueueUrl), fc.constant([{ Id: "a" }]));
  const input = fc.dictionary(fc.constantFrom(...fields), value);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(SQS_ACTIONS)), input, async (action, body) => {
      const code = await server.core.call(action, { QueueUrl, ...body }).catch((e) => e.code);
      if (!server.core.queues.has("q.fifo")) await makeQueue();
      expect(code).not.toBe("InternalFailure");
    }),
    { numRuns: 1_000 },
  );
});

test("a stop answers long polls at once and closes every connection", async () => {
  const poll = post("ReceiveMessage", { QueueUrl, WaitTimeSeconds: 20 });
  const { port, hostname } = new URL(server.url);
  const halfSent = connect(Number(port), hostname);
  await once(halfSent, "connect");
  halfSent.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
  halfSent.on("error", () => undefined);
  const halfClosed = once(halfSent, "close");
  await roundTrips();
  await server.close();
  expect(await poll).toMatchObject({ status: 200, body: "{}" });
  await halfClosed;
});

test("a long poll whose client went away takes no message", async () => {
  const gone = new AbortController();
  const poll = fetch(server.url, {
    method: "POST",
    headers: { "x-amz-target": "AmazonSQS.ReceiveMessage" },
    body: JSON.stringify({ QueueUrl, WaitTimeSeconds: 20 }),
    signal: gone.signal,
  });
  await roundTrips();
  gone.abort();
  await expect(poll).rejects.toThrow();
  await roundTrips();
  const ids = { MessageGroupId: "g", MessageDeduplicationId: "d" };
  await post("SendMessage", { QueueUrl, MessageBody: "m1", ...ids });
  const { body } = await post("ReceiveMessage", { QueueUrl });
  expect(JSON.parse(body).Messages).toMatchObject([{ Body: "m1" }]);
});

test("rejects a port that is in use with one clear line", async () => {
  const port = Number(new URL(server.url).port);
  const options = { clock, newId: sequentialIds(), log: quietLog, port };
  await expect(startSqsServer(options)).rejects.toThrow(
    `cannot serve the embedded SQS on 127.0.0.1:${port}: expected a free port, got one that is in use; stop the other program, or choose other ports with --port`,
  );
});

test("rejects a folder that cannot be made, and frees the port", async () => {
  const probe = await startSqsServer({ clock, newId: sequentialIds(), log: quietLog });
  const port = Number(new URL(probe.url).port);
  await probe.close();
  const options = { clock, newId: sequentialIds(), log: quietLog, port };
  await expect(startSqsServer({ ...options, dir: "/dev/null/sqs" })).rejects.toThrow("ENOTDIR");
  const again = await startSqsServer(options);
  await again.close();
});

async function makeQueue(): Promise<void> {
  await server.core.call("CreateQueue", {
    QueueName: "q.fifo",
    Attributes: { FifoQueue: "true" },
  });
}

/** Long enough for what was sent before to have arrived. */
async function roundTrips(): Promise<void> {
  for (let round = 0; round < 5; round += 1) await post("ListQueues", {});
}

async function post(action: string, input: object) {
  return await raw({ "x-amz-target": `AmazonSQS.${action}` }, JSON.stringify(input));
}

async function raw(headers: Record<string, string>, body: string) {
  const answer = await fetch(server.url, { method: "POST", headers, body });
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
}
