/** What can be struck. "function" is a process that runs a handler just then. */
export const VICTIMS = [
  "watcher-1",
  "watcher-2",
  "runner",
  "function",
  "sqs",
  "table",
  "kube-apiserver",
  "etcd",
] as const;

export type Victim = (typeof VICTIMS)[number];

export interface Blow {
  readonly victim: Victim;
  /** Since the last blow at this victim was over. */
  readonly afterMs: number;
  /** kill -9 and a new start, or SIGSTOP and SIGCONT. */
  readonly act: "kill" | "freeze";
  /** Until it is started again, or goes on. */
  readonly forMs: number;
}

interface Habit {
  readonly afterMs: readonly [least: number, most: number];
  readonly downMs: readonly [least: number, most: number];
  readonly frozenMs: readonly [least: number, most: number];
}

/**
 * Watchers are stopped longer than a lease lasts, too, and functions longer than their timeout, but not
 * past their lock: if the runner is killed meanwhile, nobody kills them at the deadline as Lambda does.
 */
const HABITS: Record<Victim, Habit> = {
  "watcher-1": { afterMs: [3_000, 20_000], downMs: [100, 5_000], frozenMs: [1_000, 25_000] },
  "watcher-2": { afterMs: [3_000, 20_000], downMs: [100, 5_000], frozenMs: [1_000, 25_000] },
  runner: { afterMs: [5_000, 25_000], downMs: [100, 3_000], frozenMs: [500, 15_000] },
  function: { afterMs: [500, 4_000], downMs: [0, 0], frozenMs: [500, 13_000] },
  sqs: { afterMs: [5_000, 20_000], downMs: [100, 4_000], frozenMs: [500, 8_000] },
  table: { afterMs: [5_000, 20_000], downMs: [100, 4_000], frozenMs: [500, 8_000] },
  "kube-apiserver": { afterMs: [10_000, 35_000], downMs: [100, 3_000], frozenMs: [500, 8_000] },
  etcd: { afterMs: [10_000, 35_000], downMs: [100, 3_000], frozenMs: [500, 8_000] },
};

/** The blows at one victim, each after the one before, for as long as `durationMs`. */
export function blowsAt(victim: Victim, random: () => number, durationMs: number): readonly Blow[] {
  const { afterMs, downMs, frozenMs } = HABITS[victim];
  const within = ([least, most]: readonly [number, number]) =>
    Math.round(least + random() * (most - least));
  const blows: Blow[] = [];
  for (let atMs = 0; ; ) {
    const act = random() < 0.5 ? ("kill" as const) : ("freeze" as const);
    const forMs = within(act === "kill" ? downMs : frozenMs);
    const blow = { victim, afterMs: within(afterMs), act, forMs };
    atMs += blow.afterMs;
    if (atMs > durationMs) return blows;
    atMs += forMs;
    blows.push(blow);
  }
}
