import { mkdir, open, readFile, rm, unlink } from "node:fs/promises";
import { join } from "node:path";

/** What a start leaves behind, and what `--fresh` removes: never the folder as a whole, which may hold more. */
const STATE = ["sqs", "dynamodb", "access.json", "zone.json"];

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
  await mkdir(dataDir, { recursive: true });
  const lock = join(dataDir, "lock");
  await takeLock(lock, dataDir);
  if (fresh) {
    for (const name of STATE) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  return () => unlink(lock).catch(() => {});
}

async function takeLock(lock: string, dataDir: string, again = true): Promise<void> {
  try {
    const file = await open(lock, "wx");
    await file.writeFile(String(process.pid));
    await file.close();
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
