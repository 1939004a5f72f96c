import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GetQueueUrlCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { systemClock } from "../../shared/clock.ts";
import { createSqsClient } from "../../shared/queue/sqs-client.ts";
import { type CliResult, runCli } from "../cli/run-cli.ts";
import { DevProcess, freePorts } from "./dev-process.ts";
import { kubectl } from "./kubectl.ts";
import { embeddedCluster } from "./spine-clusters.ts";

const ROOT = join(import.meta.dirname, "../..");
const START_LIMIT_MS = 60 * 60_000; // The first start on a machine builds everything.
const TEST_LIMIT_MS = 90_000;
const HELLO = ["website", "hello"];

let dataDir = "";
let port = 0;
let dev: DevProcess;
let k: (...args: string[]) => Promise<string>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "tidegate-operate-"));
  port = await freePorts();
  const cluster = await embeddedCluster(dataDir);
  k = (...args) => kubectl(cluster.kubectl, ...args);
  await start();
  await k("apply", "-f", "functions/website/sample.yaml");
  await saysWhen("explain", /the last run saw the object as it is/);
}, START_LIMIT_MS);

afterAll(async () => {
  await dev?.stop("SIGKILL");
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

async function start(): Promise<void> {
  dev = new DevProcess({ cwd: ROOT, args: ["--data", dataDir], port });
  await dev.line(/backfill looked through all keys controller=website/);
}

// Not the ids of unit tests, which begin anew with each command: SQS would swallow the second.
const run = (...args: string[]): Promise<CliResult> =>
  runCli([...args, "--data", dataDir], { newId: randomUUID });

/** What a command says of the Website, once that matches. */
async function saysWhen(command: "status" | "explain", text: RegExp): Promise<string> {
  for (;;) {
    const { out, err } = await run(command, ...HELLO);
    if (err !== "") throw new Error(err);
    if (text.test(out)) return out;
    await systemClock.sleep(100);
  }
}

const replicas = (count: number) =>
  k("patch", ...HELLO, "--type=merge", "-p", JSON.stringify({ spec: { replicas: count } }));

test(
  "while it is paused nothing runs, over a restart too, and nothing is lost",
  async () => {
    expect((await run("pause", "website")).out).toMatch(/^website is paused/);
    const { epoch } = await dev.record("website", { namespace: "default", name: "hello" });
    await replicas(3);
    await saysWhen("explain", /! website is paused[\s\S]*requests of the controller wait/);
    await dev.stop();
    await start();
    const paused = await saysWhen("status", /website \(paused\)/);
    expect(paused).toMatch(new RegExp(`runs +${epoch}\n`));
    expect((await run("resume", "website")).out).toBe("website is running\n");
    await saysWhen("status", /up to date +yes/);
    expect(await k("get", "deployment", "hello", "-o", "jsonpath={.spec.replicas}")).toBe("3");
  },
  TEST_LIMIT_MS,
);

test(
  "explain tells a run that ended for good, and reconcile makes another",
  async () => {
    const host = (name: string) =>
      k("patch", ...HELLO, "--type=merge", "-p", JSON.stringify({ spec: { host: name } }));
    await host("hello.elsewhere.test");
    await saysWhen("explain", /! the last run ended with a TerminalError .*hello\.elsewhere\.test/);
    const key = { namespace: "default", name: "hello" };
    const { epoch } = await dev.record("website", key);
    expect((await run("reconcile", ...HELLO)).out).toBe("website: 1 request sent\n");
    const again = (record: { epoch: number; outcome?: string }) =>
      record.epoch > epoch && record.outcome === "terminal_error";
    expect(await dev.recordWhen("website", key, again)).toMatchObject({ reason: "manual" });
    await host("hello.example.com");
  },
  TEST_LIMIT_MS,
);

test(
  "redrive runs what ended in the dead-letter queue, and leaves what nobody can read",
  async () => {
    const key = { namespace: "default", name: "hello" };
    await dead(JSON.stringify({ version: 1, cluster: "local", controller: "website", ...key }));
    await dead("no request");
    await saysWhen("explain", /1 of its requests ended in the dead-letter queue/);
    const { code, out } = await run("redrive", "website");
    expect({ code, out }).toEqual({
      code: 1,
      out: expect.stringMatching(/moved 1 of default\/hello\n {2}left: message .* no readable key/),
    });
    await dev.recordWhen("website", key, ({ reason }) => reason === "redrive");
  },
  TEST_LIMIT_MS,
);

test(
  "says where nothing runs any more",
  async () => {
    await dev.stop();
    const { code, err } = await run("explain", ...HELLO);
    expect(code).toBe(1);
    expect(err).toMatch(/cannot find a running tidegate dev/);
    await start();
  },
  TEST_LIMIT_MS,
);

async function dead(MessageBody: string): Promise<void> {
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const sqs = createSqsClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: "local",
    credentials,
  });
  const name = { QueueName: "tidegate-local-website-dead.fifo" };
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand(name));
  const id = randomUUID();
  const ids = { MessageGroupId: id, MessageDeduplicationId: id };
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, ...ids }));
  sqs.destroy();
}
