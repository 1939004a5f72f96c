import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { open, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { systemClock } from "../../shared/clock.ts";

export interface DaemonOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Beside our own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its output is appended here. */
  readonly logPath: string;
  /** It does not keep this process alive. Default false. */
  readonly background?: boolean | undefined;
  /** A folder to remove if this process ends without having stopped the daemon. */
  readonly removeWhenOrphaned?: string | undefined;
}

/**
 * A program that runs beside this process.
 *
 * It never outlives this process, not even one that is killed: a shell that waits for the end of a
 * pipe from us then kills it. So there must be a shell. It has a process group of its own, so that
 * Ctrl-C reaches us alone and the order in which things stop is ours.
 */
export class Daemon {
  readonly pid: number;
  /** Resolves once the program has ended, for whatever reason. */
  readonly exited: Promise<void>;
  readonly #options: DaemonOptions;
  #running = true;

  private constructor(child: ChildProcess, watchdog: ChildProcess, options: DaemonOptions) {
    this.pid = child.pid as number;
    this.#options = options;
    this.exited = new Promise((resolve) => {
      child.once("exit", () => {
        this.#running = false;
        watchdog.kill("SIGKILL"); // First of all: the pid may soon be another program's.
        resolve();
      });
    });
    if (options.background === true) child.unref();
  }

  /** Resolves once the program has been started. Rejects with one line if it cannot be. */
  static async start(options: DaemonOptions): Promise<Daemon> {
    const { command, args, env, logPath, removeWhenOrphaned } = options;
    const log = await open(logPath, "a");
    try {
      const child = await spawned(command, command, args, {
        stdio: ["ignore", log.fd, log.fd],
        detached: true,
        env: { ...process.env, ...env },
      });
      const watchdog = await guard(child.pid as number, removeWhenOrphaned).catch((error) => {
        child.kill("SIGKILL");
        throw error;
      });
      return new Daemon(child, watchdog, options);
    } finally {
      await log.close();
    }
  }

  get running(): boolean {
    return this.#running;
  }

  /** Ends it: by SIGTERM, and if it then takes longer than `graceMs`, by SIGKILL. */
  async stop(graceMs: number): Promise<void> {
    if (!this.#running) return;
    const over = new AbortController();
    process.kill(this.pid, "SIGTERM");
    await Promise.race([this.exited, systemClock.sleep(graceMs, over.signal)]);
    over.abort();
    await this.kill();
  }

  /** Ends it by SIGKILL, as a crash would. */
  async kill(): Promise<void> {
    if (this.#running) process.kill(this.pid, "SIGKILL");
    await this.exited;
  }

  /**
   * Resolves once `ready` does to true; a try that takes longer than a second counts as false.
   * Rejects if the program ends before, if it takes longer than `limitMs`, or by the signal.
   */
  async whenReady(
    ready: (signal: AbortSignal) => Promise<boolean>,
    { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
  ): Promise<void> {
    const name = basename(this.#options.command);
    const deadlineMs = systemClock.monotonicMs() + limitMs;
    const tryNow = () =>
      ready(AbortSignal.any([signal, AbortSignal.timeout(1_000)])).catch(() => false);
    while (!(await tryNow())) {
      signal.throwIfAborted();
      const late = systemClock.monotonicMs() > deadlineMs;
      if (!this.#running || late) {
        const what = late ? `to be ready within ${limitMs / 1000} s` : "to run on, and it ended";
        throw new Error(`cannot start ${name}: expected it ${what}; ${await this.#lastLines()}`);
      }
      await Promise.race([this.exited, systemClock.sleep(50, signal)]);
    }
  }

  async #lastLines(): Promise<string> {
    const lines = (await readFile(this.#options.logPath, "utf8")).trimEnd().split("\n");
    return `its last lines in ${this.#options.logPath}:\n${lines.slice(-8).join("\n")}`;
  }
}

/** Kills the program, then removes the folder, once the pipe from this process is closed. */
async function guard(pid: number, folder: string | undefined): Promise<ChildProcess> {
  const script = 'cat >/dev/null; kill -9 "$0"; [ -z "$1" ] || rm -rf -- "$1"';
  const args = ["-c", script, String(pid), folder ?? ""];
  const watchdog = await spawned("the shell that guards it", "sh", args, {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watchdog.unref();
  (watchdog.stdin as unknown as { unref?: () => void }).unref?.();
  return watchdog;
}

async function spawned(
  what: string,
  ...[command, args, options]: [string, readonly string[], SpawnOptions]
): Promise<ChildProcess> {
  const child = spawn(command, args, options);
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve).once("error", (cause: NodeJS.ErrnoException) => {
      const got = cause.code ?? cause.message;
      reject(new Error(`cannot start ${what}: expected a program to run, got ${got}`, { cause }));
    });
  });
  return child;
}
