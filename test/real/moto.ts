import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Daemon } from "../../local/kube-apiserver/daemon.ts";
import { whileLocked } from "../../local/kube-apiserver/lock-file.ts";

/** Of Moto (https://docs.getmoto.org/) in the Python package index. */
const MOTO_VERSION = "5.2.5";

/** How long a test may wait for the first start on a machine, which installs moto. */
export const MOTO_START_LIMIT_MS = 15 * 60_000;

const READY_LIMIT_MS = 60_000;
const STOP_GRACE_MS = 2_000;

const THREADED = ["-m", "moto.server"];
const UNTHREADED = [
  "-c",
  "import functools, moto.server as m; serve = m.run_simple; " +
    "m.run_simple = lambda *a, **k: serve(*a, **{**k, 'threaded': False}); m.main()",
];

export interface MotoOptions {
  /**
   * Whether requests run at once, as long polls need; default true. Moto's DynamoDB checks a condition
   * and writes without a lock between, so that two conditional writes at once may both succeed.
   */
  readonly threaded?: boolean;
}

export interface Moto {
  /** Serves SQS and DynamoDB; it asks for no credentials. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts moto's server, an implementation of SQS and DynamoDB that shares nothing with ours, with
 * empty state in memory on a free port of 127.0.0.1. It ends with this process at the latest.
 *
 * The first start on a machine installs it into a cache; rejects with one line where there is no
 * python3 or PyPI cannot be reached.
 */
export async function startMoto({ threaded = true }: MotoOptions = {}): Promise<Moto> {
  const python = await installMoto();
  const folder = await mkdtemp(join(tmpdir(), "tidegate-moto-"));
  const logPath = join(folder, "moto.log");
  const daemon = await Daemon.start({
    command: python,
    args: ["-u", ...(threaded ? THREADED : UNTHREADED), "-H", "127.0.0.1", "-p", "0"],
    logPath,
    removeWhenOrphaned: folder,
  });
  const stop = async () => {
    await daemon.stop(STOP_GRACE_MS);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    let url = "";
    const ready = async () => {
      // Werkzeug, which serves it, says which port it got.
      url = /http:\/\/127\.0\.0\.1:\d+/.exec(await readFile(logPath, "utf8"))?.[0] ?? "";
      return url !== "";
    };
    const { signal } = new AbortController();
    await daemon.whenReady(ready, { limitMs: READY_LIMIT_MS, signal });
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves to the Python that has moto. */
async function installMoto(): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const parent = join(cache, "tidegate", "moto");
  const folder = join(parent, MOTO_VERSION);
  const python = join(folder, "bin", "python");
  const installed = join(folder, "installed"); // Written last, so that half a folder is none.
  if (await present(installed)) return python;
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  await mkdir(parent, { recursive: true });
  await whileLocked(`${folder}.lock`, progress, async () => {
    if (await present(installed)) return;
    progress(`installing moto ${MOTO_VERSION} into ${folder}; this takes a few minutes once`);
    await rm(folder, { recursive: true, force: true });
    await step("python3", ["-m", "venv", folder], "expected python3 with venv; install Python");
    const install = ["-m", "pip", "install", "--quiet", `moto[server]==${MOTO_VERSION}`];
    await step(python, install, "expected PyPI to answer; check the network, or pip's index-url");
    await writeFile(installed, "");
  });
  return python;
}

async function step(command: string, args: readonly string[], expected: string): Promise<void> {
  await promisify(execFile)(command, args).catch((error: Error & { stderr?: string }) => {
    const said = error.stderr?.trim().split("\n").at(-1) || error.message;
    throw new Error(`cannot install moto ${MOTO_VERSION}: ${expected}; got ${said}`);
  });
}

async function present(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
