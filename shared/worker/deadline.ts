import { type Clock, OVER } from "../clock.ts";

/** The run's signal comes this long before the function is killed (Q4). */
const SIGNAL_MARGIN_MS = 2_000;

/** What has not settled this long before the function is killed never will (Q4). */
const EXIT_MARGIN_MS = 500;

/** No run of this invocation can act so long after its deadline: room for the skew of clocks and for a late kill. */
const LOCK_MARGIN_MS = 5_000;

/** A call was refused because the time of its run is over. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/** How long an invocation has left. */
export interface Deadline {
  /** Until when no other run of the same key may start, in milliseconds since 1970. */
  readonly runUntil: number;
  /** Milliseconds until the function is killed. */
  readonly leftMs: () => number;
  /** Milliseconds until runs must have settled. */
  readonly untilExitMs: () => number;
  /** Throws a {@link DeadlineError} once the signal is due, whether or not it came: timers can be late. */
  readonly check: (action: string) => void;
  /** Aborted 2 s before the function is killed. */
  readonly signal: AbortSignal;
  /** Ends the timer behind the signal. */
  readonly dispose: () => void;
}

/**
 * The deadline of an invocation that has `remainingMs` left. It is passed as soon as one of the two
 * clocks says so: the wall clock can step back, and the other one can stand still while a process is frozen.
 */
export function createDeadline(clock: Clock, remainingMs: number): Deadline {
  const wallMs = clock.nowMs() + remainingMs;
  const monotonicMs = clock.monotonicMs() + remainingMs;
  const leftMs = () => Math.min(wallMs - clock.nowMs(), monotonicMs - clock.monotonicMs());
  const over = new AbortController();
  const disposed = new AbortController();
  const abort = () => {
    if (!disposed.signal.aborted) over.abort(new DeadlineError("the time of the run is over"));
  };
  void clock.sleep(remainingMs - SIGNAL_MARGIN_MS, disposed.signal).then(abort);
  return {
    runUntil: wallMs + LOCK_MARGIN_MS,
    leftMs,
    untilExitMs: () => leftMs() - EXIT_MARGIN_MS,
    check: (action) => {
      if (leftMs() > SIGNAL_MARGIN_MS && !over.signal.aborted) return;
      throw new DeadlineError(
        `cannot ${action}: expected more than ${SIGNAL_MARGIN_MS} ms before the function's deadline, got ${Math.round(leftMs())}; do less in a run, or raise timeoutSeconds`,
      );
    },
    signal: over.signal,
    dispose: () => disposed.abort(OVER),
  };
}
