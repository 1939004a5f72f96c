import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { processStart } from "../../local/process-start.ts";
import { systemClock } from "../../shared/clock.ts";

/** One line of the tap. */
export interface RunMark {
  /** "refused": a start that met the lock of another run. */
  readonly mark: "start" | "refused" | "end";
  /** Controller and object. */
  readonly key: string;
  /** That of the run; of the one that has the lock, where it was refused. */
  readonly epoch: number;
  /** Empty but at the end. */
  readonly outcome: string;
  readonly atMs: number;
}

export interface NotedRun {
  readonly key: string;
  readonly epoch: number;
  readonly startMs: number;
  /** When its end was about to be written, or its process had ended. Infinity: it runs still. */
  readonly endMs: number;
  /** "killed" where its process ended first. */
  readonly outcome: string;
}

/** Milliseconds by the clock that all processes of this machine share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** So often processes are looked at, which is how late their end is noted. */
const LOOK_MS = 50;

/** Follows the processes whose taps write into a folder, and reads what runs they noted. */
export class CrashRuns {
  readonly dir: string;
  readonly #starts = new Map<string, string | undefined>();
  readonly #ends = new Map<string, number>();

  constructor(dir: string) {
    this.dir = dir;
  }

  /** Looks at the processes until the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#look();
      await systemClock.sleep(LOOK_MS, signal);
    }
  }

  /** Pids of function processes that live. */
  async alive(): Promise<readonly number[]> {
    await this.#look();
    return [...this.#starts.keys()].filter((file) => !this.#ends.has(file)).map(pidOf);
  }

  /** All runs so far, in the order in which they began. */
  async read(): Promise<readonly NotedRun[]> {
    await this.#look();
    const runs = await Promise.all((await this.#files()).map((file) => this.#runsIn(file)));
    return runs.flat().sort((a, b) => a.startMs - b.startMs);
  }

  /** How many starts met the lock of another run so far. */
  async refused(): Promise<number> {
    const marks = await Promise.all((await this.#files()).map((file) => this.#marksIn(file)));
    return marks.flat().filter(({ mark }) => mark === "refused").length;
  }

  async #look(): Promise<void> {
    for (const file of await this.#files()) {
      if (this.#ends.has(file)) continue;
      const start = processStart(pidOf(file));
      if (!this.#starts.has(file)) this.#starts.set(file, start);
      const ended = start === undefined || start !== this.#starts.get(file);
      if (ended) this.#ends.set(file, monotonicMs());
    }
  }

  #files(): Promise<string[]> {
    return readdir(this.dir).catch(() => []); // No function has begun.
  }

  async #runsIn(file: string): Promise<readonly NotedRun[]> {
    const marks = await this.#marksIn(file);
    const deathMs = this.#ends.get(file) ?? Number.POSITIVE_INFINITY;
    return marks
      .filter(({ mark }) => mark === "start")
      .map(({ key, epoch, atMs }) => {
        const end = marks.find((e) => e.mark === "end" && e.key === key && e.epoch === epoch);
        const { atMs: endMs = deathMs, outcome = "killed" } = end ?? {};
        return { key, epoch, startMs: atMs, endMs, outcome };
      });
  }

  async #marksIn(file: string): Promise<readonly RunMark[]> {
    const text = await readFile(join(this.dir, file), "utf8");
    return text.split("\n").flatMap((line) => (line ? [JSON.parse(line) as RunMark] : []));
  }
}

/** Each pair of runs of one object that overlap, and each epoch that two runs have, in words. */
export function overlaps(runs: readonly NotedRun[]): readonly string[] {
  const found: string[] = [];
  const last = new Map<string, NotedRun>();
  for (const run of runs) {
    const before = last.get(run.key);
    if (before && run.startMs < before.endMs) {
      const earlyMs = Math.round(before.endMs - run.startMs);
      const when =
        before.endMs === Infinity
          ? `while ${before.epoch} goes on`
          : `${earlyMs} ms before ${before.epoch} ended`;
      found.push(`${run.key}: run ${run.epoch} began ${when}`);
    }
    if (before && run.epoch <= before.epoch) {
      found.push(`${run.key}: run ${run.epoch} came after ${before.epoch}`);
    }
    if (!before || run.endMs > before.endMs) last.set(run.key, run);
  }
  return found;
}

function pidOf(file: string): number {
  return Number(file.split("-")[0]);
}
