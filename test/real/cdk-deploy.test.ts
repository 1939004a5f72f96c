import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import {
  LambdaClient,
  ListEventSourceMappingsCommand,
  ListFunctionsCommand,
} from "@aws-sdk/client-lambda";
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { configDigestController } from "../../functions/config-digest/controller.ts";
import { digestNameOf } from "../../functions/config-digest/reconciler.ts";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { mappingOf } from "../../shared/api/mapping.ts";
import { systemClock } from "../../shared/clock.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { createDynamoRecordStore } from "../../shared/queue/dynamo-record-store.ts";
import { encodeRequest } from "../../shared/queue/request-codec.ts";
import { createSqsClient } from "../../shared/queue/sqs-client.ts";
import { readEnvironment } from "../../shared/worker/environment.ts";
import { CLUSTER } from "../cdk/eks-clusters.ts";
import { serveTransport } from "../support/api-server.ts";
import { FakeCluster } from "../support/fake-cluster.ts";
import type { AwsServer } from "./aws-server.ts";
import { startDeployed } from "./deployed-function.ts";
import { startMoto } from "./moto.ts";
import { INSTALL_LIMIT_MS } from "./server-install.ts";

// The app of cdk.json, deployed by the command `cdk` as users do, into moto: an AWS that was not
// written here, though not the real one.

const ROOT = join(import.meta.dirname, "../..");
const REGION = "eu-central-1";
const LIMIT_MS = 120_000;
const NAMES = ["config-digest", "cronjob", "guestbook", "website"];

let out = "";
let moto: AwsServer;
let env: NodeJS.ProcessEnv = {};
const credentials = { accessKeyId: "test", secretAccessKey: "test" };

beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), "tidegate-deploy-"));
  moto = await startMoto();
  env = {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: out, // Where cdk keeps what it knows between calls.
    // By this name alone moto's CloudFormation finds a template in its S3.
    AWS_ENDPOINT_URL: moto.url.replace("127.0.0.1", "localhost"),
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_REGION: REGION,
    CDK_DISABLE_CLI_TELEMETRY: "true",
  };
  await cdk("bootstrap", `aws://123456789012/${REGION}`);
  await deploy();
}, INSTALL_LIMIT_MS);

afterAll(async () => {
  await moto?.stop();
  await rm(out, { recursive: true, force: true });
}, LIMIT_MS);

test(
  "doctor finds the table, and each queue as its definition asks for",
  async () => {
    const { TableNames = [] } = await new DynamoDBClient(client()).send(new ListTablesCommand({}));
    expect(TableNames).toEqual([expect.stringMatching(/^Tidegate-prodTable/)]);
    // It fails: there is no cluster.
    const said = await tidegate("doctor", "--table", TableNames[0] ?? "", "-o", "json");
    const { checks } = JSON.parse(said) as {
      readonly checks: readonly { readonly name: string; readonly level: string }[];
    };
    const levels = new Map(checks.map(({ name, level }) => [name, level]));
    for (const what of ["table", ...NAMES.map((name) => `queue of ${name}`)])
      expect([what, levels.get(what)]).toEqual([what, "ok"]);
  },
  LIMIT_MS,
);

test(
  "functions have code and all that the worker reads, and each is mapped to its queue",
  async () => {
    const lambda = new LambdaClient(client());
    const { Functions = [] } = await lambda.send(new ListFunctionsCommand({}));
    expect(Functions).toHaveLength(NAMES.length);
    for (const { Environment, CodeSize, FunctionArn } of Functions) {
      expect(CodeSize).toBeGreaterThan(50_000);
      const read = readEnvironment({ ...Environment?.Variables, AWS_REGION: REGION });
      const name = read.queueUrl.replace(/^.*\/tidegate-prod-(.*)\.fifo$/, "$1");
      expect(NAMES).toContain(name);
      const EventSourceArn = `arn:aws:sqs:${REGION}:123456789012:tidegate-prod-${name}.fifo`;
      const command = new ListEventSourceMappingsCommand({ EventSourceArn });
      const { EventSourceMappings } = await lambda.send(command);
      expect(EventSourceMappings).toEqual([expect.objectContaining({ FunctionArn })]);
    }
  },
  LIMIT_MS,
);

test(
  "a bundle works off its queue, and keeps its record in the table",
  async () => {
    const cluster = new FakeCluster({ clock: systemClock });
    const api = await serveTransport(cluster);
    const { deployed, tableName, revision } = await configDigest(api.url);
    const labels = { "digest.example.com/enabled": "true" };
    const { apiVersion, kind } = ConfigMap;
    cluster.apply({
      apiVersion,
      kind,
      metadata: { namespace: "a", name: "one", labels },
      data: {},
    });
    const key = { cluster: "prod", controller: "config-digest", namespace: "a", name: "one" };
    const message = encodeRequest({ request: { ...key, reason: "change" }, cause: "1" });
    const { queueUrl: QueueUrl, sqs } = deployed;
    await sqs.send(new SendMessageCommand({ QueueUrl, ...message }));
    const dynamo = createDynamoClient(client());
    const random = Math.random;
    const store = createDynamoRecordStore({
      client: dynamo,
      tableName,
      clock: systemClock,
      random,
    });
    const record = async () => [...(await store.read([key])).records.values()][0];
    const stop = startDeployed(deployed);
    const ended = await within(30_000, async () => (await record())?.outcome !== undefined);
    const lines = await stop();
    await api.close();
    expect({ ended, lines }).toMatchObject({ ended: true });
    expect(await record()).toMatchObject({ outcome: "success", revision, epoch: 1 });
    const digest = cluster.get(ConfigMap, { namespace: "a", name: digestNameOf("one") });
    expect(digest?.data?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(lines.join("\n")).toContain('"_aws"'); // Metrics for CloudWatch.
  },
  LIMIT_MS,
);

test(
  "pause finds the mapping of a controller, and stops it",
  async () => {
    await tidegate("pause", "website", "--table", "any");
    const { EventSourceMappings = [] } = await new LambdaClient(client()).send(
      new ListEventSourceMappingsCommand({}),
    );
    const paused = EventSourceMappings.filter(({ State }) => State === "Disabled");
    expect(paused.map(({ EventSourceArn = "" }) => EventSourceArn)).toEqual([
      expect.stringMatching(/tidegate-prod-website\.fifo$/),
    ]);
  },
  LIMIT_MS,
);

test(
  "the same sources deploy no change",
  async () => {
    expect(await deploy()).toMatch(/no changes/);
  },
  LIMIT_MS,
);

test("moto made all but these types, of which it has none", async () => {
  const { Resources } = await template();
  const body = "Action=ListStackResources&Version=2010-05-15&StackName=Tidegate";
  const authorization = `AWS4-HMAC-SHA256 Credential=test/20260101/${REGION}/cloudformation/aws4_request, SignedHeaders=host, Signature=none`;
  const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
  const answer = await (await fetch(moto.url, { method: "POST", headers, body })).text();
  const made = new Set([...answer.matchAll(/<ResourceType>(.*?)</g)].map(([, type]) => type));
  const types = new Set(Object.values(Resources).map(({ Type }) => Type));
  expect([...types].filter((type) => !made.has(type)).sort()).toEqual([
    "AWS::CDK::Metadata",
    "AWS::EKS::AccessEntry",
    "AWS::SQS::QueuePolicy",
  ]);
});

/** What was deployed of config-digest: all but the cluster's address, where none is. */
async function configDigest(endpoint: string) {
  const { Functions = [] } = await new LambdaClient(client()).send(new ListFunctionsCommand({}));
  const found = Functions.find(({ FunctionName }) => FunctionName?.includes("configdigest"));
  const { Timeout = 0, Environment: { Variables = {} } = {} } = found ?? {};
  const { TIDEGATE_TABLE: tableName = "", TIDEGATE_REVISION: revision = "" } = Variables;
  // moto tells URLs of AWS, which are not there.
  const here = (url = "") => moto.url + new URL(url).pathname;
  const queueUrl = here(Variables.TIDEGATE_QUEUE_URL);
  const env = {
    ...Variables,
    TIDEGATE_QUEUE_URL: queueUrl,
    TIDEGATE_DEAD_LETTER_QUEUE_URL: here(Variables.TIDEGATE_DEAD_LETTER_QUEUE_URL),
    TIDEGATE_EKS_ENDPOINT: endpoint,
    AWS_REGION: REGION,
    AWS_ENDPOINT_URL: moto.url,
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
  };
  const { Resources } = await template();
  const code = Object.entries(Resources).find(([id]) => /configdigestFunction/.test(id))?.[1];
  const folder = String(code?.Metadata?.["aws:asset:path"]);
  const deployed = {
    name: "config-digest",
    handlerFile: join(out, "cdk", folder, "index.mjs"),
    queueUrl,
    timeoutSeconds: Timeout,
    mapping: mappingOf(configDigestController),
    env,
    sqs: createSqsClient(client()),
  };
  return { deployed, tableName, revision };
}

/** Resolves to whether it came true in time. */
async function within(limitMs: number, done: () => Promise<boolean>): Promise<boolean> {
  for (let leftMs = limitMs; leftMs > 0; leftMs -= 100) {
    if (await done()) return true;
    await systemClock.sleep(100);
  }
  return false;
}

interface DeployedTemplate {
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Metadata?: Readonly<Record<string, unknown>> }>
  >;
}

async function template(): Promise<DeployedTemplate> {
  const file = join(out, "cdk/Tidegate.template.json");
  return JSON.parse(await readFile(file, "utf8")) as DeployedTemplate;
}

function client() {
  return { endpoint: moto.url, region: REGION, credentials };
}

/** Resolves to all that it printed; what goes on is on stderr. */
async function cdk(...args: readonly string[]): Promise<string> {
  const program = join(ROOT, "node_modules/aws-cdk/bin/cdk");
  const all = [program, ...args, "--no-notices", "--output", join(out, "cdk")];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, all, { cwd: ROOT, env });
  return stdout + stderr;
}

function deploy(): Promise<string> {
  const context = `tidegate:clusters=${JSON.stringify([CLUSTER])}`;
  return cdk("deploy", "--require-approval", "never", "-c", context);
}

/** Resolves to what it answers, whatever its exit code. */
async function tidegate(...args: readonly string[]): Promise<string> {
  const flags = ["--disable-warning=ExperimentalWarning", "--conditions=tidegate-source"];
  const place = ["--cluster", "prod", "--region", REGION, "--kubeconfig", join(out, "none")];
  const all = [...flags, join(ROOT, "cli/tidegate.ts"), ...args, ...place];
  return promisify(execFile)(process.execPath, all, { cwd: ROOT, env }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
}
