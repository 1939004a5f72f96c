import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { crd } from "../../functions/website/resource.ts";
import { DevProcess, freePorts } from "./dev-process.ts";
import { type Kube, startKube } from "./kube-apiserver.ts";
import { kubectl, kubectlApply } from "./kubectl.ts";

const START_LIMIT_MS = 60 * 60_000; // The first start on a machine builds everything.
const TEST_LIMIT_MS = 60_000;
const SAMPLE = "functions/config-digest/sample.yaml";

let kube: Kube;
let dev: DevProcess | undefined;
let dir = "";
let dataDir = "";
let port = 0;

function start(kubeconfig: string, ...more: string[]): DevProcess {
  dev = new DevProcess({ args: ["--kubeconfig", kubeconfig, "--data", dataDir, ...more], port });
  return dev;
}

/** What a start that fails says. */
async function failure(kubeconfig: string, ...more: string[]): Promise<readonly string[]> {
  const failed = start(kubeconfig, ...more);
  expect(await failed.ended).toBe(1);
  return failed.lines;
}

beforeAll(async () => {
  kube = await startKube({
    authorization: "RBAC",
    progress: (line) => process.stderr.write(`${line}\n`),
  });
}, START_LIMIT_MS);

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "tidegate-start-"));
  dataDir = join(dir, "data");
  port = await freePorts();
});

afterEach(async () => {
  await dev?.stop("SIGTERM");
  await rm(dir, { recursive: true, force: true });
});

afterAll(() => kube?.stop());

test.each([0, 1, 2])(
  "port N+%i in use is one line, and neither a lock nor credentials stay behind",
  async (index) => {
    const other = await listening(port + index);
    const lines = await failure(kube.kubeconfigPath);
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^tidegate: .*${port + index}.*; `))]);
    expect(await readdir(dataDir)).not.toContain("access.json");
    expect(await readdir(dataDir)).not.toContain("lock");
    other.close();
  },
  TEST_LIMIT_MS,
);

test.each([
  ["a: [b", /cannot read kubeconfig .*: line 1: .*; repair it/],
  ["kind: Config", /cannot use kubeconfig .*: expected a current-context, got none/],
])(
  "a kubeconfig that cannot be used is one line: %s",
  async (content, text) => {
    const file = join(dir, "kubeconfig");
    await writeFile(file, content);
    expect(await failure(file)).toEqual([expect.stringMatching(text)]);
  },
  TEST_LIMIT_MS,
);

test(
  "a kubeconfig that is missing, and a context that is, are one line each",
  async () => {
    const missing = await failure(join(dir, "none"));
    expect(missing).toEqual([
      expect.stringMatching(/^tidegate: .*none: ENOENT; name another with/),
    ]);
    const context = await failure(kube.kubeconfigPath, "--context", "other");
    expect(context).toEqual([expect.stringMatching(/expected a context named "other", got /)]);
  },
  TEST_LIMIT_MS,
);

test(
  "a cluster without the CRD is one line; other controllers work, and so does this one once it is installed",
  async () => {
    const running = start(kube.kubeconfigPath);
    await running.line(/websites\.web\.example\.com/);
    await running.line(/backfill looked through all keys controller=config-digest/);
    await kubectl(kube, "apply", "-f", SAMPLE);
    await kubectl(kube, "wait", "configmap/settings.digest", "--for=create", "--timeout=30s");
    expect(problems(running, /websites/)).toHaveLength(1);
    await kubectlApply(kube, crd());
    await running.line(/source synced source=websites/);
    await kubectl(kube, "delete", "-f", SAMPLE);
    await kubectl(kube, "delete", "crd", crd().metadata.name);
  },
  TEST_LIMIT_MS,
);

test(
  "a user without rights is told of each kind in one line, without a stack trace",
  async () => {
    const user = await kube.kubeconfigFor({ name: "nobody" });
    const running = start(user);
    const kinds = ["configmaps", "deployments.apps", "services"];
    for (const kind of kinds) {
      await running.line(new RegExp(`403 forbidden: cannot list ${kind}:`));
    }
    for (const kind of kinds) {
      expect(problems(running, new RegExp(`cannot list ${kind}:`))).toHaveLength(1);
    }
    expect(running.lines.filter((line) => /^\s+at |"stack"/.test(line))).toEqual([]);
  },
  TEST_LIMIT_MS,
);

function problems({ lines }: DevProcess, about: RegExp): readonly string[] {
  return lines.filter((line) => / (warn|error) /.test(line) && about.test(line));
}

async function listening(onPort: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(onPort, "127.0.0.1", resolve);
  });
  return server;
}
