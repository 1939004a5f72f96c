import { FINGERPRINT_BYTES, UNKNOWN_FINGERPRINT } from "./fingerprint.ts";
import { IDENTITY_BYTES } from "./identity.ts";

/**
 * What a run saw: fingerprints by identity, as the record holds them. The bytes are a version, 1,
 * then 8 bytes of identity and 6 of fingerprint an object; or the version alone with 0: overflow.
 */
export interface Seen {
  readonly overflow: boolean;
  readonly size: number;
  /** Whether the object was seen with exactly this fingerprint. Unknown ones equal nothing. */
  readonly has: (identity: string, fingerprint: string) => boolean;
  /** All identities, those with an unknown fingerprint included. */
  readonly identities: () => Iterable<string>;
}

/** More objects than this are not told one by one: the record must stay small. */
const SEEN_LIMIT = 64;

/** The bytes of what was seen. More than 64 objects, or `undefined`, make an overflow. */
export function encodeSeen(entries: ReadonlyMap<string, string> | undefined): Uint8Array {
  if (!entries || entries.size > SEEN_LIMIT) return Uint8Array.of(OVERFLOW);
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1)); // Same run, same bytes.
  return Uint8Array.from([VERSION, ...Buffer.from(sorted.flat().join(""), "hex")]);
}

/** What bytes say that were seen. Of bytes that it cannot read it says overflow, so nothing is covered. */
export function decodeSeen(bytes: Uint8Array): Seen {
  const entries = entriesOf(bytes);
  return {
    overflow: entries === undefined,
    size: entries?.size ?? 0,
    has: (identity, fingerprint) =>
      fingerprint !== UNKNOWN_FINGERPRINT && entries?.get(identity) === fingerprint,
    identities: () => entries?.keys() ?? [],
  };
}

const OVERFLOW = 0;
const VERSION = 1;
const ENTRY_BYTES = IDENTITY_BYTES + FINGERPRINT_BYTES;

function entriesOf(bytes: Uint8Array): ReadonlyMap<string, string> | undefined {
  if (bytes[0] !== VERSION || (bytes.length - 1) % ENTRY_BYTES !== 0) return undefined;
  const entries = new Map<string, string>();
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 1; at < bytes.length; at += ENTRY_BYTES) {
    const identity = buffer.toString("hex", at, at + IDENTITY_BYTES);
    entries.set(identity, buffer.toString("hex", at + IDENTITY_BYTES, at + ENTRY_BYTES));
  }
  return entries;
}
