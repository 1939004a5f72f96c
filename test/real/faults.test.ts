import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeleteQueueCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DevProcess, freePorts } from "./dev-process.ts";
import { type Kube, startKube } from "./kube-apiserver.ts";
import { kubectl } from "./kubectl.ts";

const START_LIMIT_MS = 60 * 60_000; // The first start on a machine builds everything.
const TEST_LIMIT_MS = 60_000;
/** Of a lease that nobody gave back. */
const LEASE_MS = 15_000;

let kube: Kube;
let dev: DevProcess;
let dir = "";
let port = 0;

const dataDir = () => join(dir, "data");

async function start(): Promise<void> {
  dev = new DevProcess({ args: ["--kubeconfig", kube.kubeconfigPath, "--data", dataDir()], port });
  await dev.line(/backfill looked through all keys controller=config-digest/);
}

async function apply(name: string, value: string): Promise<void> {
  const metadata = { name, namespace: "default", labels: { "digest.example.com/enabled": "true" } };
  const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { value } };
  const file = join(dir, "config-map.json");
  await writeFile(file, JSON.stringify(manifest));
  await kubectl(kube, "apply", "-f", file);
}

/** Resolves once the digest of a value is there. */
async function digested(name: string, value: string): Promise<void> {
  const canonical = JSON.stringify({ data: { value } });
  const sha256 = createHash("sha256").update(canonical).digest("hex");
  const wait = ["wait", `configmap/${name}`, "--timeout=40s"];
  await kubectl(kube, ...wait, "--for=create");
  await kubectl(kube, ...wait, `--for=jsonpath={.data.sha256}=${sha256}`);
}

beforeAll(async () => {
  kube = await startKube({ progress: (line) => process.stderr.write(`${line}\n`) });
  dir = await mkdtemp(join(tmpdir(), "tidegate-faults-"));
  port = await freePorts();
  await start();
}, START_LIMIT_MS);

afterAll(async () => {
  await dev?.stop("SIGTERM");
  await kube?.stop();
  await rm(dir, { recursive: true, force: true });
});

test(
  "a queue that is deleted while it is in use is made again, and nothing is lost",
  async () => {
    const endpoint = `http://127.0.0.1:${port}`;
    const credentials = { accessKeyId: "local", secretAccessKey: "local" };
    const sqs = new SQSClient({ endpoint, region: "us-east-1", credentials });
    const QueueUrl = `${endpoint}/000000000000/tidegate-local-config-digest.fifo`;
    await sqs.send(new DeleteQueueCommand({ QueueUrl }));
    await apply("queue", "1");
    await digested("queue.digest", "1");
    sqs.destroy();
  },
  TEST_LIMIT_MS,
);

test(
  "a table that is deleted while it is in use is made again, and every object runs once more",
  async () => {
    await apply("table", "1");
    await digested("table.digest", "1");
    const from = dev.lines.length;
    await dev.deleteTable();
    await dev.line(/the table was deleted: it is made again/, from);
    await dev.line(/reconcile ended .* name=table /, from);
    await apply("table", "2");
    await digested("table.digest", "2");
    expect(dev.lines.slice(from).filter((line) => /^\s+at /.test(line))).toEqual([]);
  },
  TEST_LIMIT_MS,
);

test(
  "a name of 253 characters, with all that a name may hold, is worked off",
  async () => {
    const name = `0a-9.${"z".repeat(246)}.9`;
    await apply(name, "1");
    await digested(`${createHash("sha256").update(name).digest("hex")}.digest`, "1");
  },
  TEST_LIMIT_MS,
);

test(
  "after kill -9 the next start leads at once, without waiting for the old lease",
  async () => {
    await dev.stop("SIGKILL");
    await apply("killed", "2");
    const startedMs = performance.now();
    await start();
    expect(performance.now() - startedMs).toBeLessThan(LEASE_MS);
    await digested("killed.digest", "2");
  },
  TEST_LIMIT_MS,
);

test(
  "a closed terminal stops everything in order",
  async () => {
    const { code } = await dev.stop("SIGHUP");
    expect(code).toBe(0);
    expect(dev.lines.some((line) => line.includes("released the lease"))).toBe(true);
    const left = await readdir(dataDir());
    expect(left).not.toContain("lock");
    expect(left).not.toContain("access.json");
  },
  TEST_LIMIT_MS,
);
