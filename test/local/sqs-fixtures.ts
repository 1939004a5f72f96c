import type { Logger } from "../../shared/api/log.ts";

/** A log that nobody reads. */
export const quietLog: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Ids that are the same in each run. */
export function sequentialIds(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `id-${last}`;
  };
}
