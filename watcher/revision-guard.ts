import type { ObjectRecord } from "../shared/queue/record.ts";

/** A new revision is judged by so many of its first runs ... */
export const JUDGED_RUNS = 20;
/** ... and stopped when so many of them failed. */
export const FAILED_RUNS = 10;

/** Watches the first runs that a new revision's backfill caused. */
export class RevisionGuard {
  readonly revision: string;
  #runs = 0;
  #failures = 0;

  constructor(revision: string) {
    this.revision = revision;
  }

  /** Whether so many of the first runs failed that no more should be caused. */
  get tripped(): boolean {
    return this.#failures >= FAILED_RUNS;
  }

  /** Counts the end of a run. Resolves nothing by itself: ask `tripped`. */
  note(failed: boolean): void {
    if (this.#runs >= JUDGED_RUNS) return;
    this.#runs += 1;
    if (failed) this.#failures += 1;
  }
}

/** How a run that was asked for at `epoch` went: undefined while it has not started or not ended. */
export function runFailed(
  record: ObjectRecord,
  { epoch, nowMs }: { readonly epoch: number; readonly nowMs: number },
): boolean | undefined {
  if (record.epoch <= epoch) return undefined;
  if (record.runId === undefined) return FAILURES.has(record.outcome ?? "");
  // Its lock expired: the run died.
  return (record.runUntil ?? 0) < nowMs ? true : undefined;
}

const FAILURES: ReadonlySet<string> = new Set(["error", "terminal_error", "given_up"]);
