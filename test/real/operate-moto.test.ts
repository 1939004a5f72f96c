import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CreateEventSourceMappingCommand,
  CreateFunctionCommand,
  LambdaClient,
} from "@aws-sdk/client-lambda";
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { websiteController } from "../../functions/website/controller.ts";
import { crd, Website } from "../../functions/website/resource.ts";
import { ensureQueues, type QueueUrls } from "../../local/dev-queues.ts";
import { startEmbeddedCluster } from "../../local/kube/embedded-cluster.ts";
import { mappingOf } from "../../shared/api/mapping.ts";
import { systemClock } from "../../shared/clock.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import { Definition } from "../../shared/platform/definition-kind.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { createDynamoRecordStore } from "../../shared/queue/dynamo-record-store.ts";
import { createDynamoRevisionStore } from "../../shared/queue/dynamo-revision-store.ts";
import { ensureTable } from "../../shared/queue/dynamo-table.ts";
import { encodeRequest } from "../../shared/queue/request-codec.ts";
import { createSqsClient } from "../../shared/queue/sqs-client.ts";
import { recordedLog } from "../support/recorded-log.ts";
import { startMoto } from "./moto.ts";

const ROOT = join(import.meta.dirname, "../..");
const START_LIMIT_MS = 10 * 60_000; // The first start on a machine installs moto.
const LIMIT_MS = 60_000;
const TABLE = "platform";
const CLUSTER = "main";
const key = { cluster: CLUSTER, controller: "website", namespace: "default", name: "hello" };
const identity = { region: "us-east-1", credentials: { accessKeyId: "a", secretAccessKey: "b" } };
const ROLE = "arn:aws:iam::123456789012:role/website";

const cleanUp: (() => unknown)[] = [];
let env: NodeJS.ProcessEnv = {};
let queues: QueueUrls;
let sqs: ReturnType<typeof createSqsClient>;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-operate-moto-"));
  cleanUp.push(() => rm(folder, { recursive: true, force: true }));
  const moto = await startMoto();
  cleanUp.push(() => moto.stop());
  const aws = { ...identity, endpoint: moto.url };
  const kubeconfig = await cluster(folder);
  sqs = createSqsClient(aws);
  cleanUp.push(() => sqs.destroy());
  queues = await ensureQueues(sqs, CLUSTER, {
    name: "website",
    mapping: mappingOf(websiteController as never),
  });
  await records(aws);
  await eventSourceMapping(aws);
  env = {
    ...process.env,
    AWS_ENDPOINT_URL: moto.url,
    AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "b",
    AWS_REGION: "us-east-1",
    KUBECONFIG: kubeconfig,
  };
}, START_LIMIT_MS);

afterAll(async () => {
  for (const end of cleanUp.toReversed()) await end();
});

/** A cluster with one Website; resolves to its kubeconfig. */
async function cluster(folder: string): Promise<string> {
  const { log } = recordedLog();
  const embedded = await startEmbeddedCluster({ clock: systemClock, random: Math.random, log });
  cleanUp.push(() => embedded.close());
  const kube = createKubeClient(embedded.api.transport);
  await kube.create(Definition, "", crd() as never);
  const spec = { host: "a.example.com", image: "nginx", replicas: 1 };
  await kube.create(Website, "default", { metadata: { name: "hello" }, spec });
  const { url: server, ca, token } = embedded;
  const named = (name: string, part: object) => [{ name, ...part }];
  const data = Buffer.from(ca).toString("base64");
  const file = join(folder, "kubeconfig");
  const text = JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: named("c", { cluster: { server, "certificate-authority-data": data } }),
    users: named("u", { user: { token } }),
    contexts: named("x", { context: { cluster: "c", user: "u" } }),
    "current-context": "x",
  });
  await writeFile(file, text);
  return file;
}

/** A run of the Website that failed. */
async function records(aws: Parameters<typeof createDynamoClient>[0]): Promise<void> {
  const client = createDynamoClient(aws);
  await ensureTable(client, TABLE, systemClock);
  const options = { client, tableName: TABLE, clock: systemClock, random: Math.random };
  const store = createDynamoRecordStore(options);
  await createDynamoRevisionStore(options).putRevision(CLUSTER, "website", "r1");
  const nowMs = Date.now();
  const run = { runId: "r", nowMs, runUntil: nowMs + 60_000, reason: "change" } as const;
  const started = await store.start(key, run);
  if (!started.started) throw new Error("locked");
  const { epoch } = started.record;
  const end = { outcome: "given_up", error: "no zone", failures: 4, finishedAt: nowMs } as const;
  await store.end(key, { epoch, revision: "r1", ...end });
  client.destroy();
}

/** A function that never runs, and what connects it to the queue. */
async function eventSourceMapping(aws: {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}): Promise<void> {
  const body = new URLSearchParams({
    Action: "CreateRole",
    Version: "2010-05-08",
    RoleName: "website",
    AssumeRolePolicyDocument: "{}",
  });
  const authorization =
    "AWS4-HMAC-SHA256 Credential=a/20300101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=0";
  const made = await fetch(aws.endpoint, { method: "POST", body, headers: { authorization } });
  if (!made.ok) throw new Error(`cannot create a role in moto: ${await made.text()}`);
  const lambda = new LambdaClient(aws);
  const FunctionName = "website";
  const common = { Runtime: "nodejs22.x", Handler: "index.handler", Role: ROLE } as const;
  const Code = { ImageUri: "none" };
  await lambda.send(
    new CreateFunctionCommand({ FunctionName, ...common, Code, PackageType: "Image" }),
  );
  const EventSourceArn = `arn:aws:sqs:us-east-1:123456789012:tidegate-${CLUSTER}-website.fifo`;
  await lambda.send(new CreateEventSourceMappingCommand({ FunctionName, EventSourceArn }));
  lambda.destroy();
}

interface Result {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The command as a person runs it: the SDK reads region, endpoint and credentials from its environment. */
function run(...args: readonly string[]): Promise<Result> {
  const options = ["--conditions=tidegate-source", "cli/tidegate.ts", ...args];
  const place = ["--table", TABLE, "--cluster", CLUSTER];
  return new Promise((resolve) => {
    execFile(process.execPath, [...options, ...place], { cwd: ROOT, env }, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
  });
}

test(
  "status and explain tell a run that was given up, and that no watcher leads",
  async () => {
    expect(await run("status", "ws", "hello")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/website \(running\)[\s\S]*last run +given_up[\s\S]*no zone/),
    });
    expect((await run("explain", "website", "hello")).out).toMatch(
      /no watcher ever led for the cluster "main"[\s\S]*after 4 times it was given up/,
    );
  },
  LIMIT_MS,
);

test(
  "pause and resume switch the event source mapping, and reconcile says that it is paused",
  async () => {
    expect((await run("pause", "website")).out).toMatch(/^website is paused/);
    expect((await run("reconcile", "website", "hello")).out).toBe(
      "website: 1 request sent; website is paused, so they wait\n",
    );
    expect((await run("resume", "website")).out).toBe("website is running\n");
  },
  LIMIT_MS,
);

test(
  "redrive moves a dead letter back",
  async () => {
    const request = { ...key, reason: "redrive" } as const;
    const message = encodeRequest({ request, cause: "c" });
    const { deadLetterQueueUrl: QueueUrl } = queues;
    await sqs.send(new SendMessageCommand({ QueueUrl, ...message }));
    const { code, out } = await run("redrive", "website");
    expect({ code, out }).toEqual({
      code: 0,
      out: "website: 1 objects, 0 messages in the dead-letter queue\n  moved 1 of default/hello\n",
    });
  },
  LIMIT_MS,
);

test(
  "doctor finds table, queue, mapping, credentials and definition well, and no watcher",
  async () => {
    const { code, out } = await run("doctor", "--output", "json");
    const { checks } = JSON.parse(out) as {
      checks: { name: string; level: string; text: string }[];
    };
    const levels = Object.fromEntries(checks.map(({ name, level }) => [name, level]));
    expect({ code, levels }).toMatchObject({
      code: 1,
      levels: {
        "AWS credentials": "ok",
        table: "ok",
        "table TTL": "ok",
        "queue of website": "ok",
        "runs of website": "ok",
        clock: "ok",
        watcher: "fail",
        cluster: "ok",
        "definition websites.web.example.com": "ok",
      },
    });
    expect(checks.find(({ name }) => name === "AWS credentials")?.text).toBe(
      "access key ...MPLE in us-east-1",
    );
  },
  LIMIT_MS,
);

test(
  "says in one line which service does not answer",
  async () => {
    const nobody = "http://127.0.0.1:1";
    const good = env;
    env = { ...good, AWS_ENDPOINT_URL: nobody };
    const { code, err } = await run("redrive", "website");
    env = good;
    expect({ code, err }).toEqual({
      code: 1,
      err: "tidegate: cannot ask SQS (GetQueueUrl): connect ECONNREFUSED 127.0.0.1:1; check the network, the region and AWS_ENDPOINT_URL\n",
    });
  },
  LIMIT_MS,
);
