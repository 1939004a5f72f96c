// A bundled function as Lambda runs it: nothing but its folder and the environment, in a process of
// its own, against a real SQS queue and DynamoDB table over the wire and an API server over HTTP.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { bundleFunction } from "../../cdk/bundle-function.ts";
import { digestNameOf } from "../../functions/config-digest/reconciler.ts";
import { startDynamoDbServer } from "../../local/dynamodb-server.ts";
import { startSqsServer } from "../../local/sqs-server.ts";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { systemClock } from "../../shared/clock.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { ensureTable } from "../../shared/queue/dynamo-table.ts";
import { encodeRequest } from "../../shared/queue/request-codec.ts";
import { serveTransport } from "../support/api-server.ts";
import { FakeCluster } from "../support/fake-cluster.ts";

const ROOT = join(import.meta.dirname, "../..");
const KEYS = { AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local", AWS_SESSION_TOKEN: "t" };
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const cluster = new FakeCluster({ clock: systemClock });
const ends: (() => unknown)[] = [];
let folder: string;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tidegate-bundled-"));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const api = await serveTransport(cluster);
  const tables = await startDynamoDbServer({ port: 0 });
  const queues = await startSqsServer({
    clock: systemClock,
    newId: randomUUID,
    log: silent,
    port: 0,
  });
  ends.push(
    api.close,
    () => tables.close(),
    () => queues.close(),
  );
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const dynamo = createDynamoClient({ endpoint: tables.url, region: "us-east-1", credentials });
  ends.push(() => dynamo.destroy());
  await ensureTable(dynamo, "tidegate", systemClock);
  await bundle();
  environment = {
    AWS_REGION: "us-east-1",
    AWS_ENDPOINT_URL_SQS: queues.url,
    AWS_ENDPOINT_URL_DYNAMODB: tables.url,
    TIDEGATE_TABLE: "tidegate",
    TIDEGATE_QUEUE_URL: `${queues.url}/000000000000/none.fifo`,
    TIDEGATE_CLUSTER: "main",
    TIDEGATE_REVISION: "r1",
    // As a function on AWS reaches its cluster: by a token that it signs itself.
    TIDEGATE_EKS_ENDPOINT: api.url,
    TIDEGATE_EKS_CA: Buffer.from("-----BEGIN CERTIFICATE-----").toString("base64"),
  };
}, 30_000);

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

/** Into a folder outside of the repository, where no package can be found. */
async function bundle(): Promise<void> {
  await bundleFunction({
    entry: join(ROOT, "functions/config-digest/handler.ts"),
    outdir: join(folder, "function"),
    workingDir: ROOT,
    conditions: ["tidegate-source"],
  });
  const invoke = `
    const { handler } = await import("./function/index.mjs");
    const endMs = Date.now() + 20_000;
    const answer = await handler(JSON.parse(process.argv[2]), { getRemainingTimeInMillis: () => endMs - Date.now() });
    process.stderr.write(JSON.stringify(answer));
    process.exit(0);
  `;
  await writeFile(join(folder, "invoke.mjs"), invoke);
}

/** Runs one object's request in a new process. */
async function invoke(name: string, env: Readonly<Record<string, string>>) {
  const key = { cluster: "main", controller: "config-digest", namespace: "a", name };
  const { MessageBody } = encodeRequest({ request: { ...key, reason: "change" }, cause: "c" });
  const event = { Records: [{ messageId: "m", receiptHandle: "h", body: MessageBody }] };
  const child = spawn(process.execPath, ["invoke.mjs", JSON.stringify(event)], {
    cwd: folder,
    env: { ...environment, ...env },
  });
  const [out, answer] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { out, answer };
}

function digestOf(name: string) {
  return cluster.get(ConfigMap, { namespace: "a", name: digestNameOf(name) })?.data?.sha256;
}

function createConfig(name: string) {
  const labels = { "digest.example.com/enabled": "true" };
  const { apiVersion, kind } = ConfigMap;
  cluster.apply({ apiVersion, kind, metadata: { namespace: "a", name, labels }, data: { a: "b" } });
}

test("a bundled function runs with the keys that Lambda puts into its environment", async () => {
  createConfig("keys");
  const { answer } = await invoke("keys", KEYS);
  expect(answer).toBe('{"batchItemFailures":[]}');
  expect(digestOf("keys")).toMatch(/^[0-9a-f]{64}$/);
}, 20_000);

test("it runs with the address that the environment names, as with SnapStart", async () => {
  createConfig("address");
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization);
    const expiration = new Date(systemClock.nowMs() + 3_600_000).toISOString();
    const keys = { AccessKeyId: "local", SecretAccessKey: "local", Token: "t" };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ...keys, Expiration: expiration }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { answer } = await invoke("address", {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${port}/keys`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN: "secret",
  });
  server.close();
  expect(answer).toBe('{"batchItemFailures":[]}');
  expect(digestOf("address")).toBeDefined();
  expect(new Set(asked)).toEqual(new Set(["secret"]));
}, 20_000);

test("without credentials it says what it lacks, and that a profile is of no use", async () => {
  createConfig("none");
  for (const env of [{}, { ...KEYS, AWS_PROFILE: "mine" }]) {
    const { out, answer } = await invoke("none", env);
    expect(answer).toBe('{"batchItemFailures":[{"itemIdentifier":"m"}]}');
    expect(out).toContain("cannot get AWS credentials: expected AWS_ACCESS_KEY_ID");
  }
  expect(digestOf("none")).toBeUndefined();
}, 20_000);
