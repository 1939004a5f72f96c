// `tidegate run` against a kube-apiserver, with queue and table here, and in the "AWS" of moto, which
// it finds as it would find AWS: by the environment alone.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { systemClock } from "../../shared/clock.ts";
import type { AwsServer } from "./aws-server.ts";
import { DevProcess, freePorts } from "./dev-process.ts";
import { type Kube, startKube } from "./kube-apiserver.ts";
import { kubectl, kubectlApply } from "./kubectl.ts";
import { MOTO_WAIT_SECONDS, startMoto } from "./moto.ts";

const START_LIMIT_MS = 60 * 60_000; // The first start on a machine builds everything.
const TEST_LIMIT_MS = MOTO_WAIT_SECONDS * 1_000;

let kube: Kube;
let moto: AwsServer;
let dir = "";
let running: DevProcess[] = [];

beforeAll(async () => {
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  kube = await startKube({ deployments: false, progress });
  moto = await startMoto();
}, START_LIMIT_MS);
afterAll(async () => {
  await moto?.stop();
  await kube?.stop();
});
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "tidegate-run-"));
});
afterEach(async () => {
  for (const each of running) await each.stop();
  running = [];
  await rm(dir, { recursive: true, force: true });
});

async function run(data: string, ...args: readonly string[]): Promise<DevProcess> {
  const { PATH, HOME } = process.env;
  const account = {
    AWS_ENDPOINT_URL: moto.url,
    AWS_ACCESS_KEY_ID: "a",
    AWS_SECRET_ACCESS_KEY: "b",
    AWS_REGION: "eu-west-1",
  };
  const started = new DevProcess({
    name: "run",
    args: ["--data", join(dir, data), ...args],
    port: await freePorts(),
    env: { PATH, HOME, KUBECONFIG: kube.kubeconfigPath, ...account },
  });
  running.push(started);
  return started;
}

const settings = (name: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", labels: { "digest.example.com/enabled": "true" } },
  data: { colour: "blue" },
});

/** Resolves once the function ran. */
async function digestOf(name: string): Promise<void> {
  for (;;) {
    const found = await kubectl(
      kube,
      "get",
      "configmap",
      `${name}.digest`,
      "--ignore-not-found",
      "-o",
      "name",
    );
    if (found !== "") return;
    await systemClock.sleep(200);
  }
}

test(
  "runs against the current context, with queue and table here, and names the definitions that are missing",
  async () => {
    const process = await run("local");
    await process.line(/running against .*https:/);
    await process.line(
      /warning: .* lacks .*websites.web.example.com.*"tidegate install" brought them/,
    );
    await kubectlApply(kube, settings("one"));
    await digestOf("one");
    expect(await process.stop()).toMatchObject({ code: 0 });
  },
  TEST_LIMIT_MS,
);

test(
  "makes queues and table in AWS, runs with them, and lets nobody else lead under the name",
  async () => {
    const account = ["--table", "platform", "--cluster", "ann"];
    const first = await run("first", ...account);
    await first.line(/ready: watching/);
    await kubectlApply(kube, settings("two"));
    await digestOf("two");
    const second = await run("second", ...account);
    await second.line(
      /cannot run under the name ann: expected nobody to lead in table platform, got .*choose another name with --cluster/,
    );
    expect(await second.ended).toBe(1);
  },
  TEST_LIMIT_MS,
);
