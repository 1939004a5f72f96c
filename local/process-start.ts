import { readFileSync } from "node:fs";

/**
 * When a process started, in words of the system that are the same as long as it lives; "" where the
 * system does not tell. Undefined where no such process runs, or one that has ended and only waits
 * for its parent to take note.
 */
export function processStart(pid: number, read = readStat): string | undefined {
  if (!(pid > 0)) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return undefined;
  }
  const text = read(pid);
  return text === undefined ? "" : startIn(text);
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the name is in brackets and may hold any. */
function startIn(stat: string): string | undefined {
  const [state = "", ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return /^[ZXx]/.test(state) ? undefined : (rest[START_AFTER_STATE] ?? "");
}

/** "starttime" is field 22, the state field 3. */
const START_AFTER_STATE = 22 - 3 - 1;

function readStat(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined; // Not Linux, or it has ended just now: the next try tells.
  }
}
