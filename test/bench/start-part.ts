import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { systemClock } from "../../shared/clock.ts";
import { atMost, type BenchRow, shown } from "./bench-row.ts";
import type { BenchStage } from "./bench-stage.ts";
import { freePorts } from "./dev-program.ts";
import type { EnvironmentCost } from "./environment-program.ts";
import { freshProcess } from "./fresh-process.ts";
import { median } from "./statistics.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Odd, so that the median is one of them. */
const ROUNDS = 5;
const WEBSITES = 100;
const CONFIG_MAPS = 1_000;
const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 5_000;
const KIT_LIMIT_MS = 60_000;

/** How long a newcomer waits for `npm start`, and a test for the testing kit. */
export async function startPart(stage: BenchStage): Promise<BenchRow[]> {
  const { scale, progress } = stage;
  const rounds = Math.max(1, Math.round(ROUNDS * Math.min(scale, 1)));
  const starts: StartTimes[] = [];
  const kits: EnvironmentCost[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    progress(`start ${round} of ${rounds}`);
    starts.push(await npmStart(stage));
    kits.push(await kitCost([0, 0], stage));
  }
  const count = Math.round(WEBSITES * scale);
  const polled = Math.round(CONFIG_MAPS * scale);
  progress(`${count} Websites and ${polled} ConfigMaps in the testing kit`);
  const { websites, configMaps } = await kitCost([count, polled], stage);
  const ready = median(starts.map(({ readyMs }) => readyMs)) / 1_000;
  const synced = median(starts.map(({ syncedMs }) => syncedMs)) / 1_000;
  const of = (field: "importMs" | "firstStartMs" | "nextStartMs") =>
    median(kits.map((kit) => kit[field]));
  return [
    atMost("npm start in a new folder until it says ready", ready, {
      limit: 10,
      unit: "s",
      digits: 2,
    }),
    shown("npm start in a new folder until the first source synced", synced, "s", 2),
    shown("kit: loading it and the controller, in a new process", of("importMs"), "ms"),
    shown("kit: first startEnvironment of a process", of("firstStartMs"), "ms"),
    shown("kit: next startEnvironment", of("nextStartMs"), "ms"),
    shown(`kit: runs a second that only look, ${polled} ConfigMaps`, rateOf(configMaps), "/s"),
    shown(`kit: runs a second of ${count} Websites`, rateOf(websites), "/s"),
    shown("kit: runs of each Website", websites.runs / count, "", 3),
  ];
}

function rateOf({ runs, ms }: EnvironmentCost["websites"]): number {
  return (1_000 * runs) / ms;
}

async function kitCost(
  counts: readonly number[],
  { signal }: BenchStage,
): Promise<EnvironmentCost> {
  const program = join(import.meta.dirname, "environment-program.ts");
  const limited = AbortSignal.any([signal, AbortSignal.timeout(KIT_LIMIT_MS)]);
  return freshProcess<EnvironmentCost>(program, counts.map(String), { signal: limited });
}

interface StartTimes {
  readonly readyMs: number;
  readonly syncedMs: number;
}

/** Both from the moment when the command is entered. A folder and ports of its own, else no options. */
async function npmStart(stage: BenchStage): Promise<StartTimes> {
  const data = join(await mkdtemp(join(stage.folder, "start-")), "data");
  const port = await freePorts(Math.random);
  const args = ["start", "--", `--data=${data}`, `--port=${port}`];
  const startedMs = performance.now();
  // A group of its own: npm, its shell and the program, which is stopped as by Ctrl-C.
  const child = spawn("npm", args, {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const kill = () => signalGroup(child, "SIGKILL");
  process.once("exit", kill);
  try {
    const signal = AbortSignal.any([stage.signal, AbortSignal.timeout(START_LIMIT_MS)]);
    const atMs = await linesSeen(child, [/ready: watching/, /source synced/], signal);
    const [readyMs = Number.NaN, syncedMs = Number.NaN] = atMs.map((ms) => ms - startedMs);
    return { readyMs, syncedMs };
  } finally {
    await stopGroup(child);
    process.removeListener("exit", kill);
  }
}

/** Resolves to when a line that matches was first seen, for each pattern. */
async function linesSeen(
  child: ChildProcess,
  patterns: readonly RegExp[],
  signal: AbortSignal,
): Promise<readonly number[]> {
  const said: string[] = [];
  const seen = new Map<RegExp, number>();
  const all = Promise.withResolvers<readonly number[]>();
  const hear = (line: string) => {
    said.push(line);
    for (const pattern of patterns) {
      if (!seen.has(pattern) && pattern.test(line)) seen.set(pattern, performance.now());
    }
    if (seen.size === patterns.length) all.resolve(patterns.map((each) => seen.get(each) ?? 0));
  };
  const fail = (why: string) =>
    all.reject(
      new Error(
        `npm start failed: expected ${patterns.join(" and ")}, got ${why}; it said:\n${said.slice(-20).join("\n")}`,
      ),
    );
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on("line", hear);
  }
  child.once("error", (error) => fail(error.message)).once("exit", () => fail("its end"));
  signal.addEventListener("abort", () => fail("neither in time"), { once: true });
  return all.promise;
}

/** npm may end before the program does, so it is the pipes' end that counts. */
async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.stdout?.closed) return;
  const closed = once(child, "close");
  const over = new AbortController();
  signalGroup(child, "SIGINT");
  const late = systemClock.sleep(STOP_LIMIT_MS, over.signal).then(() => {
    signalGroup(child, "SIGKILL");
  });
  await Promise.race([closed, late]);
  over.abort();
  await closed;
}

function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // It has ended.
  }
}
