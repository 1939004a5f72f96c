import type { Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";

export interface TableKeeperOptions {
  /** Makes the table again where it is gone; resolves to whether it did. */
  readonly restore: () => Promise<boolean>;
  /** Puts back what the start had put there, and has every object looked at again. */
  readonly restored: () => Promise<void>;
  readonly clock: Pick<Clock, "sleep">;
  readonly log: Logger;
}

/** A table that is gone is missed by the lease first, which is renewed as often. */
const LOOK_MS = 2_000;

/**
 * Makes the table again whenever somebody deletes it, until the signal is aborted. Nothing is lost
 * but counts and timers: without a record, every object runs once. Never rejects.
 */
export async function keepTable(
  { restore, restored, clock, log }: TableKeeperOptions,
  signal: AbortSignal,
): Promise<void> {
  let failure = ""; // Told once for as long as it lasts.
  while (!signal.aborted) {
    await clock.sleep(LOOK_MS, signal);
    if (signal.aborted) return;
    try {
      if (await restore()) {
        log.warn("the table was deleted: it is made again, and every object runs once more");
        await restored();
      }
      failure = "";
    } catch (error) {
      // Safe: it is tried again, and who needs the table tells what that means.
      if (failure !== String(error)) log.warn("cannot look after the table", { error });
      failure = String(error);
    }
  }
}
