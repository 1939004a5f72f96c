import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterEach, expect, test } from "@jest/globals";
import { startDynamoDbServer } from "../../local/dynamodb-server.ts";
import { startSqsServer } from "../../local/sqs-server.ts";
import { systemClock } from "../../shared/clock.ts";
import { createDynamoLeaseStore } from "../../shared/lease/dynamo-lease-store.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { createDynamoRevisionStore } from "../../shared/queue/dynamo-revision-store.ts";
import { ensureTable } from "../../shared/queue/dynamo-table.ts";
import { decodeRequest } from "../../shared/queue/request-codec.ts";
import { loggerOf } from "../../shared/telemetry/logger-of.ts";
import { serveTransport } from "../support/api-server.ts";
import { FakeCluster } from "../support/fake-cluster.ts";
import { Widget, widget } from "../support/watcher-objects.ts";

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

const aws = { AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" };
const credentials = { accessKeyId: "test", secretAccessKey: "test" };
const region = "us-east-1";

interface Line {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** The program in a process of its own, with the lines that it logs. */
function startProgram(env: Record<string, string>, files = ["../support/watcher-controller.ts"]) {
  const main = join(import.meta.dirname, "../../watcher/main.ts");
  const paths = files.map((file) => join(import.meta.dirname, file));
  const flags = ["--disable-warning=ExperimentalWarning", "--conditions=tidegate-source"];
  const child: ChildProcess = spawn(process.execPath, [...flags, main, ...paths], {
    env: { PATH: process.env.PATH ?? "", ...aws, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  cleanUp.push(() => child.kill("SIGKILL"));
  const lines: Line[] = [];
  let told = () => {};
  if (child.stdout) {
    createInterface({ input: child.stdout }).on("line", (text) => {
      lines.push(JSON.parse(text) as Line);
      told();
    });
  }
  /** Resolves to the first line with the message, as soon as it is there. */
  const line = async (message: string): Promise<Line> => {
    for (;;) {
      const found = lines.find((one) => one.message.includes(message));
      if (found) return found;
      await new Promise<void>((resolve) => (told = resolve));
    }
  };
  const exit = once(child, "exit") as Promise<[number | null, string | null]>;
  return { child, lines, line, exit };
}

async function accessFile(server: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "watcher-"));
  cleanUp.push(() => rm(folder, { recursive: true }));
  const path = join(folder, "access.json");
  await writeFile(path, JSON.stringify({ server }));
  return path;
}

/** Cluster, table and queue on loopback. */
async function platform() {
  const cluster = new FakeCluster({ clock: systemClock });
  cluster.serve(Widget);
  cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "kube-system" } });
  const api = await serveTransport(cluster);
  const noLog = loggerOf(() => {});
  const sqsServer = await startSqsServer({ clock: systemClock, newId: randomUUID, log: noLog });
  const dynamoServer = await startDynamoDbServer({});
  const dynamo = createDynamoClient({ region, credentials, endpoint: dynamoServer.url });
  await ensureTable(dynamo, "tidegate", systemClock);
  await createDynamoRevisionStore({ client: dynamo, tableName: "tidegate" }).putRevision(
    "test",
    "widgets",
    "r1",
  );
  const sqs = new SQSClient({ region, credentials, endpoint: sqsServer.url });
  const Attributes = { FifoQueue: "true" };
  const { QueueUrl = "" } = await sqs.send(
    new CreateQueueCommand({ QueueName: "widgets.fifo", Attributes }),
  );
  cleanUp.push(
    api.close,
    () => sqsServer.close(),
    dynamoServer.close,
    () => dynamo.destroy(),
  );
  cleanUp.push(
    () => sqs.destroy(),
    () => cluster.close(),
  );
  const received = async () => {
    const command = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 10 });
    const { Messages = [] } = await sqs.send(command);
    return Messages.map(({ Body = "" }) => decodeRequest(Body));
  };
  const env = {
    TIDEGATE_TABLE: "tidegate",
    TIDEGATE_CLUSTER: "test",
    TIDEGATE_QUEUE_URLS: JSON.stringify({ widgets: QueueUrl }),
    TIDEGATE_KUBE_ACCESS: await accessFile(api.url),
    TIDEGATE_PORT: "0",
    AWS_ENDPOINT_URL_SQS: sqsServer.url,
    AWS_ENDPOINT_URL_DYNAMODB: dynamoServer.url,
  };
  const lease = createDynamoLeaseStore({ client: dynamo, tableName: "tidegate", cluster: "test" });
  return { cluster, env, received, lease };
}

test("the program turns a change into a message, serves its health, and gives the lease back at SIGTERM", async () => {
  const { cluster, env, received, lease } = await platform();
  const { child, line, lines, exit } = startProgram(env);
  await line("leading");
  await line("looked through all keys");
  cluster.apply(widget("web"));
  expect(await received()).toMatchObject([
    {
      ok: { cluster: "test", controller: "widgets", namespace: "a", name: "web", reason: "change" },
    },
  ]);
  const { port } = await line("watcher started");
  const ready = await fetch(`http://127.0.0.1:${String(port)}/readyz`);
  expect(await ready.json()).toMatchObject({
    ready: true,
    leading: true,
    sources: [
      { name: "widgets.test.example.com", state: "synced", objects: 1 },
      { name: "configmaps", state: "synced" },
    ],
  });
  const page = await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
  expect(page).toContain(
    'tidegate_requests_sent_total{cluster="test",controller="widgets",reason="change"} 1',
  );

  const askedMs = performance.now();
  child.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
  expect(performance.now() - askedMs).toBeLessThan(2_000);
  expect((await lease.read())?.holder).toBe("");
  expect(lines.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
}, 30_000);

test("nothing that it needs can be reached: it stays, says so once each, and stops when told", async () => {
  const nowhere = "http://127.0.0.1:9"; // The discard port: nobody listens.
  const { child, line, lines, exit } = startProgram({
    TIDEGATE_TABLE: "tidegate",
    TIDEGATE_CLUSTER: "test",
    TIDEGATE_QUEUE_URLS: JSON.stringify({ widgets: `${nowhere}/1/widgets.fifo` }),
    TIDEGATE_KUBE_ACCESS: await accessFile(nowhere),
    TIDEGATE_PORT: "0",
    AWS_ENDPOINT_URL_SQS: nowhere,
    AWS_ENDPOINT_URL_DYNAMODB: nowhere,
  });
  const { port } = await line("watcher started");
  await line("work of the watcher fails");
  await line("reflector lost its connection");
  const live = await fetch(`http://127.0.0.1:${String(port)}/healthz`);
  const ready = await fetch(`http://127.0.0.1:${String(port)}/readyz`);
  expect([live.status, ready.status]).toEqual([200, 503]);
  const askedMs = performance.now();
  child.kill("SIGINT");
  expect(await exit).toEqual([0, null]);
  expect(performance.now() - askedMs).toBeLessThan(2_000);
  expect(lines.every(({ message }) => !message.includes("    at "))).toBe(true);
}, 30_000);

test("a controller without a queue ends it with one line", async () => {
  const { lines, exit } = startProgram({
    TIDEGATE_TABLE: "tidegate",
    TIDEGATE_CLUSTER: "test",
    TIDEGATE_QUEUE_URLS: JSON.stringify({ other: "http://127.0.0.1:9/1/other.fifo" }),
    TIDEGATE_KUBE_ACCESS: await accessFile("http://127.0.0.1:9"),
    TIDEGATE_PORT: "0",
  });
  expect(await exit).toEqual([1, null]);
  expect(lines).toMatchObject([
    {
      level: "error",
      message: "watcher ended",
      error: "cannot watch for controller widgets: expected a queue for it, got other",
    },
  ]);
}, 30_000);
