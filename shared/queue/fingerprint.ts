import type { Controller } from "../api/controller.ts";
import { type Source, sourcesOf } from "../api/controller.ts";
import {
  groupKindOf,
  type KubernetesObject,
  LAST_APPLIED,
  type ObjectMeta,
} from "../api/object.ts";
import { canonicalJson, type Predicate } from "../api/predicate.ts";
import { digest } from "./digest.ts";
import type { KindName } from "./identity.ts";

/** The fingerprint of an object, as 12 hex digits. Whole objects and metadata alike, see `fingerprintsOf`. */
export type FingerprintOf = (object: { readonly metadata: ObjectMeta }) => string;

/** By kind; undefined for kinds that the controller does not watch. */
export type Fingerprints = (kind: KindName) => FingerprintOf | undefined;

/** Bytes of a fingerprint. */
export const FINGERPRINT_BYTES = 6;

/** In place of a fingerprint: equal to none, whatever is compared with it. */
export const UNKNOWN_FINGERPRINT = "ff".repeat(FINGERPRINT_BYTES);

/**
 * The fingerprints of a controller's kinds: hashes of what the predicate of their source compares,
 * always together with `deletionTimestamp`, for an object marked for deletion is another object to a
 * reconciler. Where a source compares nothing, or the sources of a kind compare different things, and
 * of an object that terminates, it is the resourceVersion.
 *
 * Two equal fingerprints mean that no change between the two states would have passed. A projection
 * over metadata gives the same for whole objects (worker) as for metadata (watcher).
 */
export function fingerprintsOf(controller: Controller): Fingerprints {
  const kinds = new Map<string, FingerprintOf>();
  const sources = Map.groupBy(sourcesOf(controller), ({ kind }) => groupKindOf(kind));
  for (const [kind, ofKind] of sources) {
    kinds.set(kind, fingerprintBy(projectionOf(ofKind, controller.eventFilter)));
  }
  return (kind) => kinds.get(groupKindOf(kind));
}

type Projection = (object: never) => unknown;

/**
 * What all sources of a kind compare, if that is one thing. A change must pass the source's predicate
 * and the event filter, so that where the first compares nothing the second is enough.
 */
function projectionOf(
  sources: readonly Source[],
  eventFilter: Predicate<never> | undefined,
): Projection | undefined {
  const [first, ...others] = sources.map(({ predicate }) => predicate);
  if (others.some((other) => other !== first)) return undefined;
  return first?.keeps ?? eventFilter?.keeps;
}

function fingerprintBy(projection: Projection | undefined): FingerprintOf {
  return (object) => {
    const { deletionTimestamp = "", resourceVersion } = object.metadata;
    // A terminating object's every change passes, so that no projection tells them apart.
    if (!projection || deletionTimestamp !== "")
      return hashOf(deletionTimestamp, "resourceVersion", resourceVersion);
    const kept = projection(comparable(object) as never);
    return hashOf(deletionTimestamp, "projection", canonicalJson(kept));
  };
}

/** The client drops these two and the watcher may not have: neither is anybody's intent. */
function comparable(object: { readonly metadata: ObjectMeta }): KubernetesObject {
  const { managedFields: _, ...metadata } = object.metadata as ObjectMeta & {
    managedFields?: unknown;
  };
  const { [LAST_APPLIED]: __, ...annotations } = metadata.annotations ?? {};
  const rest =
    metadata.annotations?.[LAST_APPLIED] === undefined ? metadata : { ...metadata, annotations };
  return { ...object, metadata: rest } as KubernetesObject;
}

function hashOf(...parts: readonly string[]): string {
  const hash = digest(...parts).toString("hex", 0, FINGERPRINT_BYTES);
  return hash === UNKNOWN_FINGERPRINT ? "00".repeat(FINGERPRINT_BYTES) : hash;
}
