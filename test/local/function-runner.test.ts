import { randomUUID } from "node:crypto";
import { join } from "node:path";
import {
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { ensureQueues } from "../../local/dev-queues.ts";
import { FunctionPause, type FunctionState } from "../../local/function-pause.ts";
import { FunctionPool } from "../../local/function-pool.ts";
import { runFunction } from "../../local/function-runner.ts";
import { type SqsServer, startSqsServer } from "../../local/sqs-server.ts";
import type { Logger } from "../../shared/api/index.ts";
import { systemClock } from "../../shared/clock.ts";
import { digest } from "../../shared/queue/digest.ts";

const mapping = {
  batchSize: 10,
  maximumConcurrency: 2,
  visibilityTimeoutSeconds: 60,
  maxReceiveCount: 50,
};
const logged: unknown[] = [];
const note = (_message: string, fields?: unknown) => void logged.push(fields);
const log: Logger = { debug: note, info: note, warn: note, error: note };

let server: SqsServer;
let sqs: SQSClient;
let queueUrl = "";
let stopping: AbortController;
let running: Promise<void>;

beforeEach(async () => {
  logged.length = 0;
  server = await startSqsServer({ clock: systemClock, newId: randomUUID, log });
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  sqs = new SQSClient({ endpoint: server.url, region: "local", credentials });
  ({ queueUrl } = await ensureQueues(sqs, "test", { name: "runner", mapping }));
  stopping = new AbortController();
});

afterEach(async () => {
  stopping.abort();
  await running;
  sqs.destroy();
  await server.close();
});

function run(handler: string, pause?: FunctionPause): FunctionPool {
  const spec = {
    name: "runner",
    handlerFile: join(import.meta.dirname, "handlers", handler),
    timeoutSeconds: 10,
    env: { PATH: process.env.PATH ?? "" },
  };
  const pool = new FunctionPool(
    { spec, clock: systemClock, newId: randomUUID, print: () => {} },
    2,
  );
  running = runFunction(
    {
      name: "runner",
      queueUrl,
      mapping: () => mapping,
      ensureQueue: () => ensureQueues(sqs, "test", { name: "runner", mapping }),
      pool,
      ...(pause && { pause }),
      sqs,
      clock: systemClock,
      log,
    },
    stopping.signal,
  ).finally(() => pool.close());
  return pool;
}

function send(body: string): Promise<unknown> {
  return sqs.send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: body,
      MessageGroupId: digest(body).toString("base64url"),
      MessageDeduplicationId: digest(body).toString("base64url"),
    }),
  );
}

/** Resolves once so many messages are in the queue, visible or not. */
async function left(count: number): Promise<{ inFlight: number }> {
  for (;;) {
    const { visible, inFlight } = await attributes();
    if (visible + inFlight === count && visible === 0) return { inFlight };
  }
}

async function attributes(): Promise<{ visible: number; inFlight: number }> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ["All"] }),
  );
  const visible = Number(Attributes?.ApproximateNumberOfMessages);
  const inFlight = Number(Attributes?.ApproximateNumberOfMessagesNotVisible);
  return { visible, inFlight };
}

test("deletes what the answer does not name, and leaves the rest to its visibility timeout", async () => {
  for (const body of ["a1", "b1", "a2", "b2", "a3"]) await send(body);
  run("fails-b.ts");
  expect(await left(2)).toEqual({ inFlight: 2 });
});

test("an answer that is no batch answer is a success, as in Lambda", async () => {
  await send("a");
  run("handler.ts"); // Answers a list of names.
  expect(await left(0)).toEqual({ inFlight: 0 });
});

test("makes a queue again that was deleted, and says so once", async () => {
  run("handler.ts");
  await sqs.send(new DeleteQueueCommand({ QueueUrl: queueUrl }));
  while (logged.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(logged).toMatchObject([{ function: "runner", error: { name: "QueueDoesNotExist" } }]);
  await send("a");
  await left(0);
  expect(logged).toHaveLength(1);
});

test("makes messages visible soon again when the code does not load, and says why and for which objects", async () => {
  await send(JSON.stringify({ cluster: "c", controller: "k", namespace: "shop", name: "a" }));
  run("broken.ts");
  while (logged.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const error = "Error: does not load";
  const at = join(import.meta.dirname, "handlers/broken.ts:1");
  expect(logged).toEqual([{ function: "runner", reason: "init", error, at, objects: ["shop/a"] }]);
});

test("takes no message while it is paused, and all of them afterwards", async () => {
  const states: FunctionState[] = [];
  const rested = Promise.withResolvers<void>();
  const pause = new FunctionPause(false, (state) => {
    states.push(state);
    if (state === "paused") rested.resolve();
  });
  run("handler.ts", pause);
  pause.set(true); // Ends the receive that waits.
  await rested.promise;
  await send("a");
  expect(await attributes()).toEqual({ visible: 1, inFlight: 0 });
  pause.set(false);
  await left(0);
  expect(states).toEqual(["running", "pausing", "paused", "running"]);
});
