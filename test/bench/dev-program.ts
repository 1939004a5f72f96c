import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { systemClock } from "../../shared/clock.ts";
import { type TappedRun, tappedRunIn } from "./tapped-run.ts";

const ROOT = join(import.meta.dirname, "../..");
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;
/** Last lines that are told when it fails. */
const LINES_KEPT = 20;

export interface DevProgramOptions {
  /** Of the cluster. Default: the embedded one, with its kubeconfig in `dataDir`. */
  readonly kubeconfigPath?: string;
  readonly dataDir: string;
  readonly functionsDir: string;
  /** First of four. */
  readonly port: number;
  readonly signal: AbortSignal;
}

/** What `npm start` runs, as a process of its own, and the runs that it tells of. */
export class DevProgram {
  /** Of all its life, in the order in which they were told. */
  readonly runs: TappedRun[] = [];
  readonly #options: DevProgramOptions;
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  #warningCount = 0;
  #lastRunMs = performance.now();

  private constructor(options: DevProgramOptions) {
    this.#options = options;
    const { kubeconfigPath, dataDir, functionsDir, port } = options;
    this.#child = spawn(
      process.execPath,
      [
        "--disable-warning=ExperimentalWarning",
        "--conditions=tidegate-source",
        join(ROOT, "cli/tidegate.ts"),
        "dev",
        ...(kubeconfigPath === undefined ? [] : [`--kubeconfig=${kubeconfigPath}`]),
        `--data=${dataDir}`,
        `--functions=${functionsDir}`,
        `--port=${port}`,
      ],
      // A group of its own, so that Ctrl-C reaches us alone and it is stopped in order.
      { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"], detached: true },
    );
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream) createInterface({ input: stream }).on("line", (line) => this.#read(line));
    }
    process.once("exit", this.#kill);
  }

  /** Resolves once it watches and leads, and has looked through all that is there. */
  static async start(options: DevProgramOptions): Promise<DevProgram> {
    const program = new DevProgram(options);
    try {
      await program.until("to have looked through all objects", START_LIMIT_MS, () =>
        program.#caughtUp(),
      );
      return program;
    } catch (error) {
      await program.stop();
      throw error;
    }
  }

  /** Lines of level warn or error so far. */
  get warningCount(): number {
    return this.#warningCount;
  }

  /** The last lines that told no run. */
  get lastLines(): string {
    return this.#lines.join("\n");
  }

  /** Milliseconds since the last run that no timer asked for. */
  get quietMs(): number {
    return performance.now() - this.#lastRunMs;
  }

  /** Resolves once `met` does to true. Rejects after the limit, by the signal, or when it has ended. */
  async until(what: string, limitMs: number, met: () => boolean | Promise<boolean>): Promise<void> {
    const { signal } = this.#options;
    const deadlineMs = performance.now() + limitMs;
    while (!(await met())) {
      signal.throwIfAborted();
      const ended = this.#ended;
      if (!ended && performance.now() < deadlineMs) {
        await systemClock.sleep(100, signal);
        continue;
      }
      const got = ended ? "it ended" : `it has not within ${limitMs / 1_000} s`;
      throw new Error(
        `npm start failed: expected it ${what}, and ${got}; it said:\n${this.lastLines}`,
      );
    }
  }

  /** SIGTERM, and SIGKILL if that does not end it. */
  async stop(): Promise<void> {
    process.removeListener("exit", this.#kill);
    if (this.#ended) return;
    const exited = once(this.#child, "exit");
    const over = new AbortController();
    this.#child.kill("SIGTERM");
    const late = systemClock.sleep(STOP_LIMIT_MS, over.signal).then(this.#kill);
    await Promise.race([exited, late]);
    over.abort();
    if (!this.#ended) await exited;
  }

  readonly #kill = (): void => {
    if (!this.#ended) this.#child.kill("SIGKILL");
  };

  get #ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #read(line: string): void {
    const run = tappedRunIn(line);
    if (run) {
      this.runs.push(run);
      if (run.reason !== "timer") this.#lastRunMs = performance.now();
      return;
    }
    if (/^\S+ (warn|error) /.test(line)) this.#warningCount += 1;
    if (/ reconcile ended /.test(line)) return;
    this.#lines.push(line);
    if (this.#lines.length > LINES_KEPT) this.#lines.shift();
  }

  /** Every controller's backfill has ended once: the metrics page tells. */
  async #caughtUp(): Promise<boolean> {
    try {
      const answer = await fetch(`http://127.0.0.1:${this.#options.port + 2}/metrics`);
      const page = await answer.text();
      const ended = [...page.matchAll(/^tidegate_backfill_seconds_count\{.*\} (\d+)$/gm)];
      return ended.length >= CONTROLLERS && ended.every(([, count]) => Number(count) > 0);
    } catch {
      return false; // Not there yet.
    }
  }
}

/** config-digest and website. */
const CONTROLLERS = 2;

/** The first of four free ports one after the other. */
export async function freePorts(random: () => number): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = 20_000 + Math.floor(random() * 12_000);
    const free = await Promise.all([port, port + 1, port + 2, port + 3].map(isFree));
    if (!free.includes(false)) return port;
  }
  throw new Error("cannot find ports: expected four free ones from 20000 to 32000");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
