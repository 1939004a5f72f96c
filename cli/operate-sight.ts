import type { Controller } from "../shared/api/controller.ts";
import type { KubernetesObject } from "../shared/api/object.ts";
import { fingerprintsOf } from "../shared/queue/fingerprint.ts";
import { identityOf, type KindName } from "../shared/queue/identity.ts";
import type { ObjectRecord } from "../shared/queue/record.ts";
import { decodeSeen } from "../shared/queue/seen.ts";

/**
 * Whether the last run saw an object as it is now, in all that the predicate of its source compares.
 * "different": it saw another version, did not read it, or wrote it otherwise than declaratively.
 * "unknown": the record does not tell.
 */
export type Sight = "same" | "different" | "unknown";

/** How the last run saw an object of a kind that the controller watches. */
export function sightOf(
  controller: Controller,
  record: ObjectRecord | undefined,
  { kind, object }: { readonly kind: KindName; readonly object: KubernetesObject },
): Sight {
  const fingerprintOf = fingerprintsOf(controller)(kind);
  const seen = record?.seen && decodeSeen(record.seen);
  if (!fingerprintOf || !seen || seen.overflow) return "unknown";
  const identity = identityOf(kind, object.metadata);
  return seen.has(identity, fingerprintOf(object)) ? "same" : "different";
}
