import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemClock } from "../../shared/clock.ts";

const ROOT = join(import.meta.dirname, "../..");
const FLAGS = ["--disable-warning=ExperimentalWarning", "--experimental-vm-modules"];
const JEST = join(ROOT, "node_modules/jest/bin/jest.js");
/** Else jest keeps what it compiled among the temporary files. */
const CACHE = `--cacheDirectory=${join(ROOT, "node_modules/.cache/jest-kit")}`;

/** Where a test that is started keeps its temporary files, so that all it leaves behind is found. */
export class KitPlace {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #started: ChildProcess[] = [];

  private constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.#env = { TIDEGATE_KUBECONFIG: "", KUBEBUILDER_ASSETS: "", ...env };
  }

  static async make(env: NodeJS.ProcessEnv): Promise<KitPlace> {
    return new KitPlace(await mkdtemp(join(tmpdir(), "tidegate-kit-")), env);
  }

  /** Runs test files of this repository as users run theirs. */
  jest(workers: number, ...files: readonly string[]): ChildProcess {
    return this.#start([
      ...FLAGS,
      JEST,
      "--selectProjects",
      "unit",
      `--maxWorkers=${workers}`,
      "--json",
      CACHE,
      ...files,
    ]);
  }

  /** Runs a module that imports the package by its name. */
  program(text: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
    const flags = ["--conditions=tidegate-source", "--input-type=module-typescript", "-e", text];
    return this.#start(flags, env);
  }

  /** Names of all that is in the folder. Read again while it changes: a folder that goes meanwhile cannot be read. */
  async files(tries = 20): Promise<readonly string[]> {
    try {
      return await readdir(this.folder, { recursive: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries <= 1) throw error;
      return this.files(tries - 1);
    }
  }

  /** Names of our temporary files and folders, and command lines of programs that use them. */
  async left(): Promise<readonly string[]> {
    const { stdout } = await promisify(execFile)("ps", ["-eo", "args"]);
    const programs = stdout.split("\n").filter((line) => line.includes(this.folder));
    const files = await this.files();
    return [
      ...files.filter((name) => /^tidegate-|^tidegate\/.*\.(left|lock)$/.test(name)),
      ...programs,
    ];
  }

  async remove(): Promise<void> {
    for (const child of this.#started) child.kill("SIGKILL");
    await rm(this.folder, { recursive: true, force: true });
  }

  #start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    const { folder } = this;
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, ...this.#env, TMPDIR: folder, XDG_CACHE_HOME: folder, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#started.push(child);
    return child;
  }
}

/** All that a program printed until it ended. */
export async function outputOf(child: ChildProcess): Promise<{ out: string; error: string }> {
  const [out, error] = [child.stdout, child.stderr].map((stream) => {
    const chunks: string[] = [];
    stream?.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
    return chunks;
  });
  await once(child, "close");
  return { out: out?.join("") ?? "", error: error?.join("") ?? "" };
}

/** What `jest --json` says of its tests, and the texts of those that failed. */
export async function verdictOf(child: ChildProcess) {
  const { out, error } = await outputOf(child);
  const start = out.indexOf("{");
  if (start < 0) throw new Error(`jest answered nothing: ${error}`);
  const told = JSON.parse(out.slice(start).split("\n")[0] ?? "") as JestAnswer;
  return {
    failures: told.testResults
      .filter(({ status }) => status === "failed")
      .map((each) => each.message),
    passed: told.numPassedTests,
    left: told.numTotalTests - told.numPassedTests,
  };
}

interface JestAnswer {
  readonly numPassedTests: number;
  readonly numTotalTests: number;
  readonly testResults: readonly { readonly status: string; readonly message: string }[];
}

/** Resolves to whether it comes true within a time. */
export async function comesTrue(
  condition: () => Promise<boolean>,
  limitMs = 10_000,
): Promise<boolean> {
  const deadlineMs = systemClock.monotonicMs() + limitMs;
  while (!(await condition())) {
    if (systemClock.monotonicMs() > deadlineMs) return false;
    await systemClock.sleep(50);
  }
  return true;
}
