import { readdir, readFile } from "node:fs/promises";

/** Milliseconds of CPU (user and system) since their start, by the role of the processes. */
export type CpuTimes = ReadonlyMap<string, number>;

/** In the command line of a process, the first that is found; and what it is called in the table. */
const ROLES: readonly (readonly [RegExp, string])[] = [
  [/function-bootstrap/, "function processes"],
  [/watcher\/main/, "watcher"],
  [/cli\/tidegate\.ts/, "npm start itself"],
  [/kube-apiserver/, "kube-apiserver"],
  [/kube-controller-manager/, "kube-controller-manager"],
  [/etcd/, "etcd"],
];

/** What makes the load, and plays the controllers that a test cluster has not. */
const OWN_ROLE = "the load";

/** Of Linux, for programs: sysconf(_SC_CLK_TCK). https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const TICK_MS = 10;

/** CPU of this process and of all that it started and still runs; of none where there is no /proc. */
export async function cpuTimes(): Promise<CpuTimes> {
  const all = await processes();
  const times = new Map<string, number>();
  const family = new Set([process.pid]);
  // Children have higher ids than their parents, but for wrapped ids; so until nothing is added.
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  for (const { pid, command, cpuMs } of all) {
    if (!family.has(pid)) continue;
    const role = pid === process.pid ? OWN_ROLE : roleOf(command);
    times.set(role, (times.get(role) ?? 0) + cpuMs);
  }
  return times;
}

/** What was used from `before` to `after`, the largest first. */
export function cpuBetween(
  before: CpuTimes,
  after: CpuTimes,
): readonly (readonly [string, number])[] {
  return [...after]
    .map(([role, ms]) => [role, Math.max(0, ms - (before.get(role) ?? 0))] as const)
    .filter(([, ms]) => ms > 0)
    .sort(([, one], [, other]) => other - one);
}

function roleOf(command: string): string {
  return ROLES.find(([mark]) => mark.test(command))?.[1] ?? "others";
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly cpuMs: number;
}

async function processes(): Promise<readonly Process[]> {
  const names = await readdir("/proc").catch(() => []);
  const found = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(processOf));
  return found.flat();
}

async function processOf(pid: string): Promise<readonly Process[]> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8");
    // The second field is a name in brackets that may hold anything.
    const [, parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user, system] = [rest[USER_TIME], rest[USER_TIME + 1]];
    const cpuMs = (Number(user) + Number(system)) * TICK_MS;
    return [{ pid: Number(pid), parent: Number(parent), command, cpuMs }];
  } catch {
    return []; // It has ended meanwhile.
  }
}

/** utime is field 14; `rest` begins with field 5. */
const USER_TIME = 9;
