import { existsSync } from "node:fs";
import { link, mkdir, readFile, rm, stat, unlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { processStart } from "./process-start.ts";
import { folderFailure } from "./write-failure.ts";

/** What a start leaves behind, and what `--fresh` removes: never the folder as a whole, which may hold more. */
const STATE = [
  "cluster",
  "kubeconfig",
  "sqs",
  "dynamodb",
  "access.json",
  "zone.json",
  "dev.json",
  "paused",
];

/**
 * Takes the folder of local state for this process alone. Rejects with one line while another
 * process holds it. Returns how to give it back.
 */
export async function takeDataDir({
  dataDir,
  fresh,
}: {
  readonly dataDir: string;
  readonly fresh: boolean;
}): Promise<() => Promise<void>> {
  const lock = join(dataDir, "lock");
  try {
    await makeDir(resolve(dataDir));
    await takeLock(lock, dataDir);
    for (const name of fresh ? STATE : []) {
      await rm(join(dataDir, name), { recursive: true, force: true });
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw folderFailure(`cannot use ${dataDir}`, code, error);
  }
  return () => unlink(lock).catch(() => {});
}

/** Whether a process that runs holds the folder. */
export async function dataDirHeld(dataDir: string): Promise<boolean> {
  const { pid, start } = await lockIn(join(dataDir, "lock"));
  return lives(pid, start);
}

/**
 * Not by mkdir's own `recursive`: it tries for ever where the folder above takes no folders and says
 * that there is none, as /proc does.
 */
async function makeDir(dir: string): Promise<void> {
  const above = dirname(dir);
  if (!existsSync(above) && above !== dir) await makeDir(above);
  try {
    await mkdir(dir);
  } catch (error) {
    const there = await stat(dir).catch(() => undefined);
    if (!there?.isDirectory()) throw error;
  }
}

async function takeLock(lock: string, dataDir: string, again = true): Promise<void> {
  // Whole before it appears: another start must never read a lock that names nobody yet.
  const written = `${lock}.${process.pid}`;
  try {
    await writeFile(written, `${process.pid} ${processStart(process.pid)}`.trim());
    await link(written, lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const { pid, start } = await lockIn(lock);
    if (pid !== process.pid && lives(pid, start)) {
      throw new Error(
        `cannot use ${dataDir}: process ${pid} uses it; stop that one, or choose another folder with --data and ports with --port`,
        { cause: error },
      );
    }
    // Left behind by a process that was killed.
    await unlink(lock).catch(() => {});
    if (again) await takeLock(lock, dataDir, false);
  } finally {
    await unlink(written).catch(() => {});
  }
}

async function lockIn(lock: string): Promise<{ pid: number; start: string | undefined }> {
  const [pid = "", start] = (await readFile(lock, "utf8").catch(() => "")).split(" ");
  return { pid: Number(pid), start };
}

/** Whether the process that wrote a lock still runs, and not another that was given its number since. */
function lives(pid: number, start: string | undefined): boolean {
  const now = processStart(pid);
  return now !== undefined && (!start || !now || start === now);
}
