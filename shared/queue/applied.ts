import { groupKindOf } from "../api/object.ts";
import { canonicalJson } from "../api/predicate.ts";
import { digest } from "./digest.ts";
import type { KindName } from "./identity.ts";

/** More applied objects than this are not remembered: each is then sent every time. */
const APPLIED_LIMIT = 16;

/** An applied object by kind, namespace and name (it may have had no uid yet), and what was applied. */
export interface AppliedManifest {
  readonly kind: KindName;
  readonly namespace: string;
  readonly name: string;
  readonly manifest: unknown;
}

/** The bytes for the record: 8 of the object's hash and 8 of the manifest's each; undefined for none and for more than 16. */
export function encodeApplied(manifests: readonly AppliedManifest[]): Uint8Array | undefined {
  const entries = new Map(manifests.map((each) => [objectHash(each), manifestHash(each)]));
  if (entries.size === 0 || entries.size > APPLIED_LIMIT) return undefined;
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Uint8Array(Buffer.from(sorted.flat().join(""), "hex"));
}

/** Tells whether exactly this manifest was applied; of absent or unreadable bytes, that none was. */
export function decodeApplied(bytes: Uint8Array | undefined): (each: AppliedManifest) => boolean {
  const entries = new Map<string, string>();
  const hex = Buffer.from(bytes ?? []).toString("hex");
  for (let at = 0; at < hex.length && hex.length % (4 * HASH_BYTES) === 0; at += 4 * HASH_BYTES) {
    entries.set(
      hex.slice(at, at + 2 * HASH_BYTES),
      hex.slice(at + 2 * HASH_BYTES, at + 4 * HASH_BYTES),
    );
  }
  return (each) => entries.get(objectHash(each)) === manifestHash(each);
}

const HASH_BYTES = 8;

function objectHash({ kind, namespace, name }: AppliedManifest): string {
  return digest(groupKindOf(kind), namespace, name).toString("hex", 0, HASH_BYTES);
}

function manifestHash({ manifest }: AppliedManifest): string {
  return digest(canonicalJson(manifest)).toString("hex", 0, HASH_BYTES);
}
