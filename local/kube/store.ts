import type { ApiObject } from "./api-object.ts";

/** What a write did to one object. */
export interface StoreEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** The new state; of a deletion the last one, with the version of the deletion. */
  readonly object: ApiObject;
  /** The state before; absent for ADDED. */
  readonly before?: ApiObject;
  readonly version: number;
}

export interface StoreKey {
  /** "group/plural" of the storage: "apps/deployments", "/configmaps". */
  readonly resource: string;
  /** "" for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

/**
 * All objects, with one rising version over all kinds, and the recent history of changes. Every
 * write is one atomic step: `object` undefined deletes. Durable before it returns where there is a journal.
 */
export interface ObjectStore {
  readonly version: number;
  readonly get: (key: StoreKey) => ApiObject | undefined;
  /** In order of namespace and name. */
  readonly list: (resource: string, namespace: string) => readonly ApiObject[];
  /** As they were at a version still in the history; undefined where that is forgotten (410). */
  readonly listAt: (
    resource: string,
    namespace: string,
    version: number,
  ) => readonly ApiObject[] | undefined;
  /**
   * Writes what `change` makes of the present state, with a new resourceVersion; the same object
   * (identity) means no write and no event. Throws what `change` throws.
   */
  readonly write: (
    key: StoreKey,
    change: (now: ApiObject | undefined) => ApiObject | undefined,
  ) => StoreEvent | undefined;
  /** Changes after a version, oldest first; undefined where that version is forgotten (410). */
  readonly since: (resource: string, version: number) => readonly StoreEvent[] | undefined;
  /** The oldest version that `since` and `listAt` know. */
  readonly oldest: (resource: string) => number;
  /** Told of each event after it is written; returns how to stop. A listener must not throw. */
  readonly subscribe: (resource: string, listener: (event: StoreEvent) => void) => () => void;
  /** Forgets the history before the present version: older watches and lists get 410. */
  readonly compact: () => void;
}

/** One step of the store as it is kept on disk: no object means that it is gone. */
export interface ObjectChange extends StoreKey {
  /** "" for a step that only carries the version on. */
  readonly resource: string;
  readonly version: number;
  readonly object?: ApiObject;
}

/** Where objects are kept so that they survive the process. */
export interface ObjectState {
  /** Every change since the beginning, or others that lead to the same. Called once, first. */
  load(): Iterable<ObjectChange>;
  /** Keeps a change; throws where it cannot. */
  append(change: ObjectChange): void;
  /** Whether it has grown so much that `compact` is worth while. */
  readonly full: boolean;
  /** Replaces all that is kept by these changes; on failure what was kept stays. */
  compact(changes: Iterable<ObjectChange>): void;
  close(): void;
}
