import type { Scale } from "./act.ts";

/** Of seeds that are searched by thousands. */
export const SMALL: Scale = {
  gadgets: 8,
  settings: 2,
  tickers: 2,
  minutes: 10,
  changesPerMinute: 6,
  faultsPerMinute: 3,
};
