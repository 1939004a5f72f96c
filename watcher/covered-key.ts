import { coveredBackfill, type WatchedObject } from "../shared/queue/covered.ts";
import { type KindName, unsyncedIdentities } from "../shared/queue/identity.ts";
import type { ObjectRecord } from "../shared/queue/record.ts";
import { decodeSeen } from "../shared/queue/seen.ts";
import type { CacheSnapshot } from "./cache-snapshot.ts";

export interface KeyInCaches {
  /** Text of the key. */
  readonly text: string;
  /** Of the code that would run; undefined while nobody knows: then nothing is covered. */
  readonly revision: string | undefined;
  readonly snapshot: CacheSnapshot;
  readonly kinds: { readonly synced: readonly KindName[]; readonly unsynced: readonly KindName[] };
}

/**
 * Whether a key's last run saw exactly what the caches hold: each object that maps to the key, and
 * nothing that is not there any more. What it saw beside those needs only stand in the caches
 * unchanged, for a reconciler may list more than maps to its object.
 */
export function coveredKey(
  record: ObjectRecord,
  { text, revision, snapshot, kinds }: KeyInCaches,
): boolean {
  if (revision === undefined || !record.seen) return false;
  const mapped = snapshot.byKey.get(text)?.objects ?? [];
  const cached = new Map<string, WatchedObject>(mapped.map((object) => [object.identity, object]));
  for (const identity of decodeSeen(record.seen).identities()) {
    const fingerprint = snapshot.fingerprints.get(identity);
    if (fingerprint === undefined || cached.has(identity)) continue;
    cached.set(identity, { identity, fingerprint, deleting: false });
  }
  const unsynced = unsyncedIdentities(kinds.unsynced, kinds.synced);
  return coveredBackfill({ record, cached: [...cached.values()], revision, unsynced });
}
