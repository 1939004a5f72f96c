import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { systemClock } from "../../shared/clock.ts";

export interface CrashProcessOptions {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface ToldLine {
  readonly text: string;
  /** By `performance.now()`. */
  readonly atMs: number;
}

/** As what restarts a container waits. */
const RESTART_MS = 500;

/** A program of ours in a process of its own, started again when it ends by itself. It ends with this process. */
export class CrashProcess {
  readonly lines: ToldLine[] = [];
  readonly #options: CrashProcessOptions;
  #child: ChildProcess | undefined;
  #wanted = false;
  #ownEnds = 0;

  constructor(options: CrashProcessOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** How often it ended without having been told to. */
  get ownEnds(): number {
    return this.#ownEnds;
  }

  start(): void {
    const { file, args, env } = this.#options;
    this.#wanted = true;
    const flags = ["--disable-warning=ExperimentalWarning", "--conditions=tidegate-source"];
    const child = spawn(process.execPath, [...flags, file, ...args], {
      env: { PATH: process.env.PATH, ...env },
      // The channel ends it with this process, however that ends.
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on("line", (text) => this.#told(text));
    }
    child.once("exit", () => void this.#exited(child));
    this.#child = child;
  }

  /** Ends it as a crash does, or in order by SIGTERM. It is not started again by itself. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    this.#wanted = false;
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }

  freeze(): void {
    this.#child?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#child?.kill("SIGCONT");
  }

  /** Resolves to the first line that matches, of those from `from` on. */
  async line(pattern: RegExp, from = 0, limitMs = 60_000): Promise<ToldLine> {
    const deadlineMs = performance.now() + limitMs;
    for (;;) {
      const found = this.lines.slice(from).find(({ text }) => pattern.test(text));
      if (found) return found;
      if (performance.now() > deadlineMs) {
        const said = this.lines.slice(-30).map(({ text }) => text);
        throw new Error(`${this.name} did not say ${pattern}; it said:\n${said.join("\n")}`);
      }
      await systemClock.sleep(20);
    }
  }

  #told(text: string): void {
    this.lines.push({ text, atMs: performance.now() });
  }

  async #exited(child: ChildProcess): Promise<void> {
    if (!this.#wanted || this.#child !== child) return;
    this.#ownEnds += 1;
    this.#told(`@ended by itself: ${child.exitCode ?? child.signalCode}`);
    await systemClock.sleep(RESTART_MS);
    if (this.#wanted && this.#child === child) this.start();
  }
}
