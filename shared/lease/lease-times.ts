import assert from "node:assert";

export interface LeaseTimes {
  /** How long a rival watches an unchanged lease before it takes it. */
  readonly durationMs: number;
  /** When a holder that cannot renew stops leading, counted from before its last renewal was sent. */
  readonly renewDeadlineMs: number;
  /** Between two renewals, and between two looks of a standby; +-20 %. */
  readonly retryPeriodMs: number;
}

/**
 * Those of client-go. `durationMs / renewDeadlineMs` is how much faster one machine's clock may run
 * than another's: 1.5. https://pkg.go.dev/k8s.io/client-go/tools/leaderelection
 */
export const LEASE_TIMES: LeaseTimes = {
  durationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2_000,
};

/** How far a retry period is stretched or shortened, so that replicas do not act in step. */
export const RETRY_JITTER = 0.2;

/** Fails where a holder could still lead when a rival already may. */
export function checkTimes({ durationMs, renewDeadlineMs, retryPeriodMs }: LeaseTimes): void {
  const got = `got ${durationMs}, ${renewDeadlineMs} and ${retryPeriodMs} ms`;
  assert(
    durationMs > renewDeadlineMs,
    `cannot use lease times: expected duration > renew deadline, ${got}`,
  );
  assert(
    renewDeadlineMs > 2 * (1 + RETRY_JITTER) * retryPeriodMs && retryPeriodMs > 0,
    `cannot use lease times: expected room for two retries before the renew deadline, ${got}`,
  );
}
