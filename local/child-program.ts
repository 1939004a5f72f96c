import { type ChildProcess, spawn } from "node:child_process";
import type { Clock } from "../shared/clock.ts";
import { eachLine } from "./each-line.ts";

export interface ChildProgramOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly print: (line: string) => void;
  /** Done before each start. */
  readonly prepare: () => Promise<void>;
  /** Told when it ended by itself; it is started again. */
  readonly onExit: (how: string) => void;
  readonly clock: Clock;
}

const FIRST_RESTART_MS = 500;
const LONGEST_RESTART_MS = 30_000;

/** A program that ran for so long was healthy. */
const HEALTHY_MS = 60_000;

/** So long may a program take to stop. */
const STOP_MS = 1_500;

/**
 * Keeps a program of ours running in a process of its own, and starts it again with growing delay
 * when it ends, until the signal is aborted: then it is asked to stop, and killed if it does not.
 */
export async function keepRunning(
  options: ChildProgramOptions,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = options;
  let delayMs = FIRST_RESTART_MS;
  while (!signal.aborted) {
    await options.prepare();
    if (signal.aborted) return;
    const startedMs = clock.monotonicMs();
    const how = await runOnce(options, signal);
    if (signal.aborted) return;
    options.onExit(how);
    if (clock.monotonicMs() - startedMs > HEALTHY_MS) delayMs = FIRST_RESTART_MS;
    await clock.sleep(delayMs, signal);
    delayMs = Math.min(2 * delayMs, LONGEST_RESTART_MS);
  }
}

async function runOnce(
  { file, args, env, print, clock }: ChildProgramOptions,
  signal: AbortSignal,
): Promise<string> {
  const child = spawn(process.execPath, [...process.execArgv, file, ...args], {
    env,
    // The channel tells the child at once when we are gone, even by kill -9.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  for (const stream of [child.stdout, child.stderr]) if (stream) eachLine(stream, print);
  const ended = endOf(child);
  const stop = () => void stopChild(child, clock, ended);
  signal.addEventListener("abort", stop, { once: true });
  const how = await ended;
  signal.removeEventListener("abort", stop);
  return how;
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("exit", (code, by) => resolve(by ? `ended by ${by}` : `exited with ${code}`));
  });
}

async function stopChild(child: ChildProcess, clock: Clock, ended: Promise<string>): Promise<void> {
  child.kill("SIGTERM");
  const over = new AbortController();
  await Promise.race([ended, clock.sleep(STOP_MS, over.signal).then(() => child.kill("SIGKILL"))]);
  over.abort();
}
