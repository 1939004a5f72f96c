import type { Logger } from "../api/log.ts";
import type { Clock } from "../clock.ts";
import type { Keep, Kept, ReflectedChange } from "./reflected.ts";
import type { ReflectorSource } from "./reflector-source.ts";
import type { Transport } from "./wire.ts";

export const REFLECTOR_TIMES = {
  /** A server sends a bookmark about each minute, so this may be a connection that died without a word. */
  silenceMs: 70_000,
  /** The server ends each watch after 5 to 10 minutes, so that load moves to new API servers. */
  watchSeconds: { least: 300, most: 600 },
  /** A watch that ended sooner is not opened again at once, lest it become a loop. */
  shortWatchMs: 1000,
  /** A watch that broke off after this time had worked. */
  workingWatchMs: 10_000,
  /** Reflectors that start together list one after the other, by up to this. */
  startWithinMs: 200,
};

export interface ReflectorOptions<K extends Kept> extends ReflectorSource {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly keep: Keep<K>;
  /** Told every change, in order, when the cache has moved. */
  readonly onChange: (change: ReflectedChange<K>) => void;
  readonly log: Logger;
  /** Default: random, up to 200 ms. */
  readonly startDelayMs?: number;
}
