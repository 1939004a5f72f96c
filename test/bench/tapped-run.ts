/** One run as its function process told it. Times are in milliseconds since 1970. */
export interface TappedRun {
  readonly controller: string;
  readonly namespace: string;
  readonly name: string;
  readonly epoch: number;
  readonly reason: string;
  readonly outcome: string;
  /** As in the record: just before the start was written. */
  readonly startedAt: number;
  /** When the start was written, and the run began. */
  readonly lockedAt: number;
  readonly finishedAt: number;
  /** Every version that it saw was in the record before. */
  readonly sawNothingNew: boolean;
}

/** Begins a line with a run. */
export const RUN_MARK = "@run ";

/** The run that a line of the program tells, if it tells one. */
export function tappedRunIn(line: string): TappedRun | undefined {
  const at = line.indexOf(RUN_MARK);
  return at < 0 ? undefined : (JSON.parse(line.slice(at + RUN_MARK.length)) as TappedRun);
}

/** Runs that an object's change or the looking-through at a start asked for; timers are apart. */
export function unlessTimer({ reason }: TappedRun): boolean {
  return reason !== "timer";
}

/** A run that nobody needed. Timers are asked for by reconcilers, whatever has changed. */
export function superfluous(run: TappedRun): boolean {
  return unlessTimer(run) && run.sawNothingNew;
}

/** "2,000 change, 12 timer" */
export function reasonsOf(runs: readonly TappedRun[]): string {
  const counts = Map.groupBy(runs, ({ reason }) => reason);
  return [...counts].map(([reason, { length }]) => `${length} ${reason}`).join(", ") || "none";
}
