import { readFile, rm, writeFile } from "node:fs/promises";
import { systemClock } from "../../shared/clock.ts";
import { processStart } from "../process-start.ts";

/**
 * Runs `work` while this process holds the lock file, waiting for another process that holds it.
 * The lock of a process that has died is taken over.
 */
export async function whileLocked(
  path: string,
  progress: (line: string) => void,
  work: () => Promise<void>,
): Promise<void> {
  let told = false;
  while (!(await tryLock(path))) {
    if (!told) progress(`waiting for another build, which holds ${path}`);
    told = true;
    await systemClock.sleep(500);
  }
  try {
    await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** Resolves to whether it made the lock file, after it removed that of a process that has died. */
export async function tryLock(path: string): Promise<boolean> {
  const holder = Number(await readFile(path, "utf8").catch(() => ""));
  if (holder > 0 && processStart(holder) === undefined) await rm(path, { force: true });
  try {
    await writeFile(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
