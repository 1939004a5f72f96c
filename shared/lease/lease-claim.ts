import type { LeaseRecord } from "./lease-store.ts";

/** What was last seen of the item, and when by our own monotonic clock. */
export interface Sighting {
  /** undefined: the item was missing, although there had been one. */
  readonly version: string | undefined;
  readonly atMs: number;
  /** When the version will have stood still for the whole duration. */
  readonly expiresAtMs: number;
}

/**
 * What a read says about whether we may take the lease.
 *
 * - `free`: nobody holds it, or its holder let it expire;
 * - `ours`: the item names us, so nobody else leads;
 * - `held`: another's, and not expired yet;
 * - `foreign`: it belongs to another cluster of the same name.
 */
export type Claim = "free" | "ours" | "held" | "foreign";

/** Who asks, and what it knew before. */
export interface Claimant {
  readonly holder: string;
  readonly clusterUid: string;
  /** How long a missing item counts as held (L5), and the duration of items of our own. */
  readonly durationMs: number;
  /** undefined: never saw an item. */
  readonly seen: Sighting | undefined;
}

/**
 * Notes what a read showed. The time starts anew with each new version, and never with the same one.
 *
 * @param nowMs Monotonic, taken after the answer came: later than the write of what it shows.
 */
export function sight(
  record: LeaseRecord | undefined,
  { seen, durationMs }: Claimant,
  nowMs: number,
): Sighting | undefined {
  if (!record && !seen) return undefined;
  if (seen && seen.version === record?.version) return seen;
  const expiresAtMs = nowMs + (record?.durationMs ?? durationMs);
  return { version: record?.version, atMs: nowMs, expiresAtMs };
}

/** Judges what a read showed; `seen` is the sighting with that read noted. */
export function claimOf(
  record: LeaseRecord | undefined,
  { seen, holder, clusterUid }: Claimant,
  nowMs: number,
): Claim {
  if (record && record.clusterUid !== clusterUid) return "foreign";
  if (record?.holder === holder) return "ours";
  if (!seen || record?.holder === "") return "free";
  return nowMs >= seen.expiresAtMs ? "free" : "held";
}
