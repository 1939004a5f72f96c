import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, expect, test } from "@jest/globals";
import { systemClock } from "../../shared/clock.ts";
import { kubeBinaries } from "./kube-binaries.ts";

/** The first start on a machine builds everything. */
const BUILD_LIMIT_MS = 60 * 60_000;
const TEST_LIMIT_MS = 60_000;

const started: ChildProcess[] = [];
const folders: string[] = [];

beforeAll(async () => {
  await kubeBinaries({ env: process.env, progress: (line) => process.stderr.write(`${line}\n`) });
}, BUILD_LIMIT_MS);

afterEach(async () => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

test(
  "Ctrl-C ends everything within 2 s and removes what was temporary",
  async () => {
    const { child, kubeconfigPath } = await ready();
    const startedAtMs = performance.now();
    child.kill("SIGINT");
    const [code] = await once(child, "exit");

    expect(code).toBe(0);
    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
    expect(existsSync(dirname(kubeconfigPath))).toBe(false);
  },
  TEST_LIMIT_MS,
);

test(
  "a command that is killed leaves neither programs nor files",
  async () => {
    const { child, kubeconfigPath } = await ready();
    const url = /server: (\S+)/.exec(await readFile(kubeconfigPath, "utf8"))?.[1];
    child.kill("SIGKILL");

    await until(() => !existsSync(dirname(kubeconfigPath)));
    // The guards kill the programs before they remove the folder, but the kernel may take a moment.
    await until(() => refused(`${url}/readyz`));
  },
  TEST_LIMIT_MS,
);

test(
  "a folder of data serves one command at a time",
  async () => {
    const data = await temporaryFolder();
    const first = await ready("--data", data);
    expect(await failure("--data", data)).toMatch(/^cannot use the data in .*; stop that one/);

    first.child.kill("SIGINT");
    await once(first.child, "exit");
    expect((await ready("--data", data)).kubeconfigPath).toBe(join(data, "kubeconfig"));
  },
  TEST_LIMIT_MS,
);

test(
  "a port in use, a bad option and a missing program are one clear line each",
  async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const folder = await temporaryFolder();

    try {
      expect(await failure("--port", String(port))).toMatch(/^cannot serve Kubernetes on .*\n$/);
      expect(await failure("--port", "many")).toMatch(/^cannot use --port many: .*\n$/);
      expect(await failure("--nonsense")).toMatch(/^Unknown option '--nonsense'.*\n$/);
      const missing = run([], { ...process.env, KUBEBUILDER_ASSETS: folder });
      expect(await errorOutput(missing)).toMatch(
        /^no program .*etcd: .*, got none; name another one, or unset it\n$/,
      );
      const noGo = run([], { XDG_CACHE_HOME: folder, PATH: folder });
      expect(await errorOutput(noGo)).toMatch(/^cannot build Kubernetes .*install Go .*\n$/);
    } finally {
      server.close();
    }
  },
  TEST_LIMIT_MS,
);

/** Starts the command, and resolves once it says that it is ready. */
async function ready(...args: string[]) {
  const child = run(args, process.env);
  let output = "";
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk);
    if (output.endsWith("\n")) break;
  }
  const path = /is ready: npm start -- --kubeconfig (".*?"),/.exec(output)?.[1];
  if (path === undefined) throw new Error(`npm run kube did not start: got ${output}`);
  return { child, kubeconfigPath: JSON.parse(path) as string };
}

/** Resolves to what the command prints on its way out, having failed. */
async function failure(...args: string[]): Promise<string> {
  return errorOutput(run(args, process.env));
}

async function errorOutput(child: ChildProcess): Promise<string> {
  let output = "";
  child.stderr?.on("data", (chunk) => {
    output += String(chunk);
  });
  const [code] = await once(child, "close");
  expect(code).toBe(1);
  return output;
}

function run(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const script = join(import.meta.dirname, "kube.ts");
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--conditions=tidegate-source", script, ...args],
    { env, stdio: ["ignore", "pipe", "pipe"] },
  );
  started.push(child);
  return child;
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-test-"));
  folders.push(folder);
  return folder;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 10_000;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error("did not happen within 10 s");
    await systemClock.sleep(20);
  }
}

/** Whether nobody listens there. */
async function refused(url: string): Promise<boolean> {
  const code = (error: { readonly cause?: { readonly code?: unknown } }) => error.cause?.code;
  return (await fetch(url).then(() => undefined, code)) === "ECONNREFUSED";
}
