import type { Key, KubernetesObject } from "../api/object.ts";

/** What a reflector keeps of an object, at least. */
export interface Kept {
  readonly key: Key;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** What a reflector reports. A re-creation found by a new list comes as deleted, then added. */
export type ReflectedChange<K extends Kept> =
  | { readonly type: "added"; readonly now: K }
  | {
      readonly type: "modified";
      readonly now: K;
      readonly before: K;
      /** Found by a new list: there may have been other states in between. */
      readonly missed?: boolean;
    }
  | {
      readonly type: "deleted";
      /** The last known state; the one that the watch told with the deletion, where it did. */
      readonly now: K;
      readonly before: K;
      /** Found by a new list: there may have been later states. */
      readonly finalStateUnknown: boolean;
    };

/** Makes what is kept of an object as it is parsed; the object itself is then dropped. `before` is what was kept of it so far. */
export type Keep<K extends Kept> = (object: KubernetesObject, before: K | undefined) => K;

/** Health of one reflector, for readiness, metrics and people. */
export interface ReflectorHealth {
  /** The first list is through and told. */
  readonly synced: boolean;
  /** Not synced, and known why: "403 ...", "404 ...". */
  readonly unavailable?: string;
  /** Milliseconds since the last byte or answer of the server. */
  readonly silentMs: number;
  readonly objects: number;
  readonly resourceVersion?: string;
  /** Since the start: lists, watches opened, changes told, differences found by lists after the first. */
  readonly lists: number;
  readonly watches: number;
  readonly changes: number;
  readonly repairs: number;
}
