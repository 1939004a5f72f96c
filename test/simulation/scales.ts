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

/** Hours, in which more than one deploy, backfill and relist meet. */
export const MEDIUM: Scale = {
  gadgets: 60,
  settings: 6,
  tickers: 6,
  minutes: 120,
  changesPerMinute: 6,
  faultsPerMinute: 2,
};

/** As many objects as a cluster has that is worth a controller. */
export const LARGE: Scale = {
  gadgets: 2_000,
  settings: 40,
  tickers: 60,
  minutes: 60,
  changesPerMinute: 20,
  faultsPerMinute: 2,
};

/** Each seed has its scale, so that the seed alone is enough to play it again. */
export function scaleOf(seed: number): Scale {
  if (seed % 50 === 0) return LARGE;
  return seed % 10 === 0 ? MEDIUM : SMALL;
}
