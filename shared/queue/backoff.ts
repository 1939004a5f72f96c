/** A failed run's first delay; each further failure doubles it. As client-go's default rate limiter in its bound. */
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 1_000_000;
/** Bounds of the doubling of postponed runs. Retry-After can ask for more. */
const LONGEST_THROTTLED_MS = 300_000;
const LONGEST_CONFLICT_MS = 60_000;

/** Up to this delay a failed run's message waits in the queue, beyond it a timer waits for it. */
export const VISIBILITY_LIMIT_MS = 120_000;

/** How much later than the message's return the timer beside it is due (Q8). */
export const SAFETY_TIMER_MS = 30_000;

/**
 * Milliseconds to wait after so many failed runs in a row (1 or more): 1 s x 2^(failures - 1), at
 * most 1,000 s, with equal jitter (the second half of it is random), so that objects that failed
 * together do not come back together and none comes back at once.
 */
export function failureDelayMs(failures: number, random: () => number): number {
  return equalJitter(doubled(failures, LONGEST_DELAY_MS), random);
}

/**
 * Milliseconds to wait after the API server asked for less. Never less than Retry-After: jitter is
 * added to that, and what is doubled while it repeats is the jitter's width.
 *
 * @param postponed How many ends in a row were postponed, this one included.
 */
export function throttledDelayMs(
  {
    postponed,
    retryAfterMs = 0,
  }: { readonly postponed: number; readonly retryAfterMs?: number | undefined },
  random: () => number,
): number {
  const ownMs = doubled(postponed, LONGEST_THROTTLED_MS);
  return Math.max(equalJitter(ownMs, random), retryAfterMs + (random() * ownMs) / 2);
}

/** Milliseconds to wait after a conflict that did not resolve: 1 s, doubling to 60 s, equal jitter. */
export function conflictDelayMs(postponed: number, random: () => number): number {
  return equalJitter(doubled(postponed, LONGEST_CONFLICT_MS), random);
}

function doubled(times: number, longestMs: number): number {
  return Math.min(longestMs, FIRST_DELAY_MS * 2 ** (Math.max(1, times) - 1));
}

function equalJitter(delayMs: number, random: () => number): number {
  return Math.ceil(delayMs / 2 + (delayMs / 2) * random());
}
