import type { MemoryPlatform } from "./memory-platform.ts";
import type { TestClock } from "./test-clock.ts";
import type { TransportFaults } from "./transport-faults.ts";
import type { WriteJournal } from "./write-journal.ts";

export interface SettlingOptions {
  readonly platform: MemoryPlatform<TestClock>;
  readonly faults: TransportFaults;
  readonly journal: WriteJournal;
  /** Runs of one object after which it is taken to wake itself for ever. */
  readonly maxRuns: number;
  /** Milliseconds without any act that count as rest. */
  readonly restMs: number;
  /** What the cluster still has to do. */
  readonly work: () => Promise<string | undefined>;
}

const STEP_MS = 50;
const MOST_MS = 600_000;
/**
 * So long is waited for what the cluster has to do since anybody did something: its garbage collector
 * learns of new kinds each 30 s only. A Deployment may never be ready.
 */
const MOST_WORK_MS = 45_000;
/** Real milliseconds at most for each step that a run does nothing in. */
const BREATHS = 10;

/**
 * Lets time pass in small steps until nothing is left to do without waiting: no run goes on, no
 * request can be delivered, no change waits to be forwarded, no timer is due, nobody writes, and the
 * cluster has done its part.
 * Rejects when one object runs again and again, or when there is no rest within 10 minutes.
 */
export async function settle(options: SettlingOptions): Promise<void> {
  const { platform, journal } = options;
  const startMs = platform.clock.monotonicMs();
  const first = platform.runs.length;
  journal.clear();
  let acts = actsOf(options);
  let actedMs = startMs;
  for (let restMs = 0; restMs < options.restMs; ) {
    await platform.clock.advance(STEP_MS);
    const now = actsOf(options);
    const what = busyWith(options);
    if (now === acts) await breathe(options);
    restMs = now === acts && what === undefined ? restMs + STEP_MS : 0;
    if (now !== acts) actedMs = platform.clock.monotonicMs();
    acts = now;
    checkRuns(options, first);
    const nowMs = platform.clock.monotonicMs();
    const patient = restMs >= options.restMs && nowMs - actedMs < MOST_WORK_MS;
    if (patient && (await options.work()) !== undefined) restMs = 0;
    if (nowMs - startMs > MOST_MS) throw restless(options, what);
  }
}

/** Runs and writes so far. */
function actsOf({ platform, journal }: SettlingOptions): number {
  return platform.runs.length + journal.count;
}

function busyWith({ platform, faults }: SettlingOptions): string | undefined {
  if (platform.running > 0) return "a run goes on";
  if (platform.busy) return "a request waits in a queue";
  if (platform.waiting > 0) return "a change waits to be forwarded";
  if (faults.cut) return "watches that were cut are not open again";
  const nowMs = platform.clock.nowMs();
  for (const { outcome, dueAt = Number.POSITIVE_INFINITY } of platform.store.records()) {
    if (dueAt <= nowMs) return "a timer is due";
    if (outcome === "conflict") return "a run that met a conflict is repeated";
  }
  return undefined;
}

/**
 * A reconciler may wait for something that takes real time, such as a file: it gets some before
 * virtual time passes. One that waits for a call to the cluster needs none.
 */
async function breathe({ platform, faults }: SettlingOptions): Promise<void> {
  for (let breath = 0; breath < BREATHS; breath += 1) {
    if (platform.running === 0 || faults.slow) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
  }
}

function checkRuns({ platform, journal, maxRuns }: SettlingOptions, first: number): void {
  if (platform.runs.length - first <= maxRuns) return;
  const counts = new Map<string, number>();
  for (const { controller, key } of platform.runs.slice(first)) {
    const name = `${controller} ${key}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (count <= maxRuns) continue;
    const writes = journal.most(3);
    const who =
      writes.length === 0 ? "nobody wrote anything meanwhile" : `written: ${writes.join("; ")}`;
    throw new Error(
      `cannot settle: ${name} ran ${count} times, last for the reason "${reasonOf(platform, controller, key)}"; ${who}; let an equal run write nothing, or raise maxRuns`,
    );
  }
}

function reasonOf(platform: MemoryPlatform<TestClock>, controller: string, key: string): string {
  const [namespace = "", name = ""] = key.split("/");
  return platform.record({ namespace, name }, controller).reason ?? "unknown";
}

function restless({ journal }: SettlingOptions, what = "writes go on"): Error {
  const writes = journal.most(3).join("; ") || "nothing";
  return new Error(
    `cannot settle: expected rest within 10 minutes of virtual time, got none: ${what}; written: ${writes}`,
  );
}
