import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { whileLocked } from "../../local/kube-apiserver/lock-file.ts";

export interface ServerInstall {
  /** As its registry and its folder in the cache call it. */
  readonly name: string;
  readonly version: string;
  /** Default: ours. */
  readonly env?: NodeJS.ProcessEnv;
  /** Called with one line whenever there is something to tell a person who waits; default: stderr. */
  readonly progress?: (line: string) => void;
}

/** Runs a program; rejects with one line that says what was expected of it. */
export type InstallStep = (
  command: string,
  args: readonly string[],
  expected: string,
) => Promise<void>;

/** How long a test may wait for the first start of a server on a machine, which installs it. */
export const INSTALL_LIMIT_MS = 15 * 60_000;

/** Of one step. */
const STEP_LIMIT_MS = 10 * 60_000;

/**
 * Resolves to the folder of a server in the cache. If there is none, `fill` is called with a new
 * folder, which may be moved afterwards. The folder appears complete or not at all, whether `fill`
 * fails or this process is killed meanwhile; what killed ones left is removed by the next.
 */
export async function installServer(
  { name, version, env = process.env, progress = tell }: ServerInstall,
  fill: (folder: string, step: InstallStep) => Promise<void>,
): Promise<string> {
  const cache = env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const folder = join(cache, "tidegate", name, version);
  if (await present(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  await whileLocked(`${folder}.lock`, progress, async () => {
    if (await present(folder)) return;
    progress(`installing ${name} ${version} into ${folder}; this takes up to a few minutes once`);
    await removeUnfinished(folder);
    const unfinished = await mkdtemp(unfinishedPrefix(folder));
    try {
      await fill(unfinished, installStep(`${name} ${version}`, env));
      await rename(unfinished, folder);
    } finally {
      await removeUnfinished(folder); // Again: a program whose parent was killed may have written on.
    }
  });
  return folder;
}

function installStep(what: string, env: NodeJS.ProcessEnv): InstallStep {
  return async (command, args, expected) => {
    const options = { env, timeout: STEP_LIMIT_MS };
    await promisify(execFile)(command, args, options).catch((cause: Failure) => {
      const got = firstLine(cause.stderr) || firstLine(cause.stdout) || cause.message;
      throw new Error(`cannot install ${what}: expected ${expected}; got ${got}`, { cause });
    });
  };
}

interface Failure extends Error {
  readonly stdout?: string;
  readonly stderr?: string;
}

/** Where pip and Maven say the cause. */
function firstLine(output = ""): string {
  const line = output.split("\n").find((each) => each.trim() !== "") ?? "";
  return line.trim().slice(0, 600);
}

async function removeUnfinished(folder: string): Promise<void> {
  const prefix = basename(unfinishedPrefix(folder));
  const names = await readdir(dirname(folder));
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    await rm(join(dirname(folder), name), REMOVE_ALL);
  }
}

function unfinishedPrefix(folder: string): string {
  return join(dirname(folder), `.${basename(folder)}-`);
}

/** Tries again while such a program writes. */
const REMOVE_ALL = { recursive: true, force: true, maxRetries: 5 };

async function present(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
