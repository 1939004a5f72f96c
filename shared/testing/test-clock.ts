import { type Clock, systemClock } from "../clock.ts";

/** A clock on which a test lets time pass: virtual time, or real one, for which it waits. */
export interface TestClock extends Clock {
  readonly advance: (ms: number) => Promise<void>;
}

/** The machine's clock. Time passes by itself, too. */
export const realClock: TestClock = {
  ...systemClock,
  advance: (ms) => systemClock.sleep(ms),
};
