import type { Key, KubernetesObject } from "../shared/api/object.ts";
import type { Kept } from "../shared/kube/reflected.ts";

/** What the watcher keeps of an object: no more than its views need. */
export interface KeptObject extends Kept {
  /** Whether it has a deletionTimestamp. */
  readonly deleting: boolean;
  /** What each view of the reflector keeps of it, in the order of the views. */
  readonly views: Viewed[];
}

/** What one source of one controller keeps of an object. */
export interface Viewed {
  /** Of the object as this controller compares it (queue-protocol.md, "Words"). */
  readonly fingerprint: string;
  /** Outside the scope of predicate or event filter: nothing of it matters. */
  readonly outside: boolean;
  /** The value that the source's predicate compares: the whole object where it says no less. */
  readonly kept: unknown;
  /** The value that the controller's event filter compares. */
  readonly filterKept: unknown;
  /** The keys it mapped to when it was kept. Those that an index tells are looked up when they are needed. */
  readonly keys: readonly Key[];
  /** Of objects of `for`: by entry of `watches`, the values under which it is found. */
  readonly uses: readonly (readonly string[])[];
  /** What `keys` is asked with again, where it looks objects up by an `index`. */
  readonly lookedUp?: KubernetesObject;
}

/** Text of a key, as the map of keys takes it. */
export function keyText({ namespace, name }: Key): string {
  return `${namespace}/${name}`;
}
