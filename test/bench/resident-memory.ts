import { readdir, readFile } from "node:fs/promises";

/** RSS of those processes in MB (10^6 bytes); undefined where there is no /proc or none is there. */
export async function residentMegabytes(pids: readonly number[]): Promise<number | undefined> {
  try {
    const status = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, "utf8")));
    // In kB, which are KiB. https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
    const sizes = status.map((page) => Number(/^VmRSS:\s+(\d+) kB$/m.exec(page)?.[1]) * 1_024);
    return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
  } catch {
    return undefined;
  }
}

/** The processes whose command line has that text; none where there is no /proc. */
export async function processesWith(text: string): Promise<readonly number[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const has = async (pid: string) =>
    (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).includes(text);
  const marks = await Promise.all(pids.map(has));
  return pids.filter((_, index) => marks[index]).map(Number);
}
