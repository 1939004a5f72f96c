import type { Draws } from "./draws.ts";
import type { World } from "./world.ts";

/** What an act is about: numbers and words, so that it can be printed and played again. */
export type ActDetails = Readonly<Record<string, number | string | boolean>>;

/** Something that the outside does at a moment: a user's change, or a fault. */
export interface Act {
  readonly atMs: number;
  readonly name: string;
  readonly details: ActDetails;
}

/** How many of what a simulation has, and for how long things happen to it. */
export interface Scale {
  readonly gadgets: number;
  readonly settings: number;
  readonly tickers: number;
  /** Virtual minutes in which acts happen. */
  readonly minutes: number;
  readonly changesPerMinute: number;
  readonly faultsPerMinute: number;
  /** Of these alone, instead of all. */
  readonly changes?: readonly string[];
  /** Instead of the faults that the seed draws. */
  readonly faults?: readonly string[];
}

/** A kind of act. */
export interface ActKind {
  readonly name: string;
  /** How often, against the others of its list. */
  readonly weight: number;
  readonly draw: (draws: Draws, scale: Scale) => ActDetails;
  /** Carries it out; what is not there any more it leaves. */
  readonly play: (world: World, details: never) => void | Promise<void>;
}

/** Keeps the types of what is drawn and what is played together. */
export function actKind<D extends ActDetails>(kind: {
  readonly name: string;
  readonly weight: number;
  readonly draw: (draws: Draws, scale: Scale) => D;
  readonly play: (world: World, details: D) => void | Promise<void>;
}): ActKind {
  return kind;
}

/** "12.345 s  watcher killed (downMs 3000)" */
export function actText({ atMs, name, details }: Act): string {
  const words = Object.entries(details).map(([key, value]) => `${key} ${value}`);
  const more = words.length > 0 ? ` (${words.join(", ")})` : "";
  return `${(atMs / 1_000).toFixed(3)} s  ${name}${more}`;
}
