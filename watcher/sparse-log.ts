import type { LogFields, Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";

const PERIOD_MS = 60_000;
const LINES = 5;

/** A logger that writes at most 5 lines of the same message a minute, and then how many it left out. */
export function sparseLog(log: Logger, clock: Pick<Clock, "monotonicMs">): Logger {
  const periods = new Map<string, { fromMs: number; lines: number }>();
  const sparse =
    (write: Logger["info"]): Logger["info"] =>
    (message: string, fields: LogFields = {}) => {
      const nowMs = clock.monotonicMs();
      const period = periods.get(message);
      if (!period || nowMs - period.fromMs >= PERIOD_MS) {
        const omitted = Math.max(0, (period?.lines ?? 0) - LINES);
        periods.set(message, { fromMs: nowMs, lines: 1 });
        write(message, omitted > 0 ? { ...fields, omitted } : fields);
        return;
      }
      period.lines += 1;
      if (period.lines <= LINES) write(message, fields);
    };
  return {
    debug: log.debug,
    info: sparse(log.info),
    warn: sparse(log.warn),
    error: sparse(log.error),
  };
}
