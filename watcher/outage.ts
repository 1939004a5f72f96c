import type { Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";

/** Reports that something does not work, once, and that it works again, once. */
export interface Outage {
  readonly failed: (error: unknown) => void;
  readonly over: () => void;
}

/** One line when it begins and one when it ends. @param what The work that fails, for people. */
export function outage({
  what,
  log,
  clock,
}: {
  readonly what: string;
  readonly log: Logger;
  readonly clock: Clock;
}): Outage {
  let sinceMs: number | undefined;
  return {
    failed: (error) => {
      if (sinceMs !== undefined) return;
      sinceMs = clock.monotonicMs();
      log.error("work of the watcher fails; it is tried again until it succeeds", { what, error });
    },
    over: () => {
      if (sinceMs === undefined) return;
      const seconds = Math.round((clock.monotonicMs() - sinceMs) / 1_000);
      sinceMs = undefined;
      log.info("work of the watcher succeeds again", { what, seconds });
    },
  };
}
