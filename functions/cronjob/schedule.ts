import { Cron } from "croner";

/** When a cron job starts: an expression of five fields, read in one time zone. */
export interface Schedule {
  /** The last start in `(afterMs, nowMs]`; undefined where there is none. */
  readonly missed: (afterMs: number, nowMs: number) => number | undefined;
  /** The first start after `nowMs`; undefined for one that never comes, such as 31 February. */
  readonly next: (nowMs: number) => number | undefined;
}

/** Reads an expression. Throws naming the field that cannot be read, or the time zone that is not known. */
export function readSchedule(expression: string, timeZone: string): Schedule {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
  } catch (error) {
    throw new Error(`spec.timeZone: ${(error as Error).message}`, { cause: error });
  }
  const cron = readExpression(expression, timeZone);
  return {
    missed: (afterMs, nowMs) => {
      // The past without its end: a start at this very moment has come.
      const last = cron.previousRuns(1, new Date(nowMs + 1))[0]?.getTime();
      return last !== undefined && last > afterMs ? last : undefined;
    },
    next: (nowMs) => cron.nextRun(new Date(nowMs))?.getTime(),
  };
}

function readExpression(expression: string, timezone: string): Cron {
  try {
    return new Cron(expression, { mode: "5-part", timezone });
  } catch (error) {
    throw new Error(`spec.schedule: ${(error as Error).message}`, { cause: error });
  }
}
