import { failureDelayMs } from "./backoff.ts";
import type { ObjectRecord, RunEnd } from "./record.ts";

/** A key that woke itself more often than this within a minute is slowed. */
export const SELF_WAKE_LIMIT = 10;

const WINDOW_MS = 60_000;

/** A change of somebody else's may be among those that wait, so they do not wait for longer. */
const LONGEST_HOLD_MS = 60_000;

type SelfWakes = Pick<RunEnd, "selfWakes" | "selfWakesSince" | "heldUntil">;

/**
 * Counts runs that only their own writes ask for: each was woken by a change, of an object with the
 * same spec, and writes something whose echo will wake the key again. More than 10 of them in a
 * minute, and changes of the key wait for a backoff, until a run is of another kind.
 */
export function selfWakesAfter(
  record: ObjectRecord,
  run: { readonly wakesItself: boolean; readonly anew: boolean; readonly nowMs: number },
  random: () => number,
): SelfWakes {
  if (!run.wakesItself || run.anew || record.reason !== "change") return {};
  const before = record.selfWakes ?? 0;
  const since = record.selfWakesSince ?? run.nowMs;
  const slowed = before > SELF_WAKE_LIMIT;
  if (!slowed && run.nowMs - since > WINDOW_MS) {
    return { selfWakes: 1, selfWakesSince: run.nowMs };
  }
  const selfWakes = before + 1;
  if (selfWakes <= SELF_WAKE_LIMIT) return { selfWakes, selfWakesSince: since };
  const delayMs = failureDelayMs(selfWakes - SELF_WAKE_LIMIT, random);
  const heldUntil = run.nowMs + Math.min(LONGEST_HOLD_MS, delayMs);
  return { selfWakes, selfWakesSince: since, heldUntil };
}
