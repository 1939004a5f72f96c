import type { Clock } from "../shared/clock.ts";
import type { LeaseStore } from "../shared/lease/lease-store.ts";
import { LEASE_TIMES } from "../shared/lease/lease-times.ts";

/** Who leads. "none": nobody ever did; "released": who did gave it back; "silent": it was not renewed while we looked. */
export interface LeaseFact {
  readonly state: "none" | "released" | "held" | "silent";
  readonly holder?: string;
  readonly clusterUid?: string;
}

/** Longer than two renewals are apart. */
const LOOK_FOR_MS = 3 * LEASE_TIMES.retryPeriodMs;
const LOOK_MS = 250;

/**
 * Tells whether somebody leads, by whether the lease is renewed while we look: clocks of two machines
 * are never compared. Takes some seconds where nobody does.
 */
export async function lookAtLease(
  leases: Pick<LeaseStore, "read">,
  clock: Pick<Clock, "sleep" | "monotonicMs">,
  signal?: AbortSignal,
): Promise<LeaseFact> {
  const first = await leases.read();
  if (!first) return { state: "none" };
  const { holder, clusterUid, version } = first;
  if (holder === "") return { state: "released", clusterUid };
  const untilMs = clock.monotonicMs() + LOOK_FOR_MS;
  while (clock.monotonicMs() < untilMs && !signal?.aborted) {
    await clock.sleep(LOOK_MS, signal);
    const now = await leases.read();
    if (now && now.version !== version && now.holder !== "")
      return { state: "held", holder: now.holder, clusterUid: now.clusterUid };
  }
  return { state: "silent", holder, clusterUid };
}
