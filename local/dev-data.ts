import { link, mkdir, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What a start leaves behind, and what `--fresh` removes: never the folder as a whole, which may hold more. */
const STATE = ["cluster", "kubeconfig", "sqs", "dynamodb", "access.json", "zone.json"];

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
    await mkdir(dataDir, { recursive: true });
    await takeLock(lock, dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(
      `cannot use ${dataDir}: expected a folder that can be written, got ${code}; make it one, or choose another with --data`,
      { cause: error },
    );
  }
  if (fresh) {
    for (const name of STATE) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  return () => unlink(lock).catch(() => {});
}

async function takeLock(lock: string, dataDir: string, again = true): Promise<void> {
  // Whole before it appears: another start must never read a lock that names nobody yet.
  const written = `${lock}.${process.pid}`;
  try {
    await writeFile(written, String(process.pid));
    await link(written, lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const pid = Number(await readFile(lock, "utf8").catch(() => "0"));
    if (runs(pid)) {
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

function runs(pid: number): boolean {
  if (!(pid > 0) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
