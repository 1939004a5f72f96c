import { groupKindOf, type ObjectMeta } from "../api/object.ts";
import { digest } from "./digest.ts";

/** Group and kind of an object; its version does not matter. */
export interface KindName {
  readonly apiVersion: string;
  readonly kind: string;
}

/** What is known of an object's metadata at least to tell which object it is. */
export type Identified = Pick<ObjectMeta, "name" | "uid"> & Partial<ObjectMeta>;

/** Bytes of an identity, and how many of them are the kind's. */
export const IDENTITY_BYTES = 8;
const KIND_BYTES = 2;

/**
 * The identity of an object, as 16 hex digits: 4 of its group and kind, 12 of kind, namespace, name
 * and uid. A re-created object of the same name is another one (B12).
 *
 * The digits of the kind let a covered test leave out entries of a kind whose source has not synced.
 */
export function identityOf(kind: KindName, { namespace = "", name, uid }: Identified): string {
  const rest = digest(groupKindOf(kind), namespace, name, uid);
  return kindPrefix(kind) + rest.toString("hex", 0, IDENTITY_BYTES - KIND_BYTES);
}

/**
 * Whether an identity belongs to a kind that has not synced, and to none that has. Where both kinds
 * begin with the same digits the answer is no: its entry is judged, which costs a run and loses nothing.
 */
export function unsyncedIdentities(
  unsynced: readonly KindName[],
  synced: readonly KindName[],
): (identity: string) => boolean {
  const known = new Set(synced.map(kindPrefix));
  const left = new Set(unsynced.map(kindPrefix).filter((prefix) => !known.has(prefix)));
  return (identity) => left.has(identity.slice(0, 2 * KIND_BYTES));
}

/** The digits that all identities of a kind begin with. Two kinds can share them, though hardly ever. */
function kindPrefix(kind: KindName): string {
  return digest(groupKindOf(kind)).toString("hex", 0, KIND_BYTES);
}
