import type { Clock } from "../../shared/clock.ts";
import type { ApiObject } from "./api-object.ts";
import { frozen } from "./frozen.ts";
import { ObjectBucket } from "./object-bucket.ts";
import { type HistoryLimits, ObjectHistory } from "./object-history.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ObjectChange, ObjectState, ObjectStore, StoreEvent, StoreKey } from "./store.ts";

export interface MemoryObjectStoreOptions {
  readonly clock: Clock;
  /** Keeps objects across restarts. Default: nothing does. */
  readonly state?: ObjectState;
  /** Default DEFAULT_HISTORY. */
  readonly history?: HistoryLimits;
}

/** The API server forgets old versions after 5 minutes (its --etcd-compaction-interval). */
const DEFAULT_HISTORY: HistoryLimits = { events: 10_000, ageMs: 5 * 60_000 };

/** The `resource` of a StoreKey. */
export function storageOf({ storage }: ServedResource): string {
  return `${storage.group}/${storage.plural}`;
}

/**
 * All objects in memory.
 *
 * O1. A write replaces an object, and freezes the new one: whoever is given it cannot change it. A
 *     write shares with the object before what it leaves as it is. What is not frozen belongs to the
 *     write that made it, which may change it in place until it is stored.
 * O2. A version is given once: it rises by one with each write, across restarts too.
 * O3. A write is kept by `state` before anybody sees it. Where it cannot be kept, it did not happen.
 * O4. Listeners are told of writes in their order, also of those that a listener makes.
 */
export class MemoryObjectStore implements ObjectStore {
  readonly #clock: Clock;
  readonly #state: ObjectState | undefined;
  readonly #limits: HistoryLimits;
  readonly #buckets = new Map<string, ObjectBucket>();
  readonly #histories = new Map<string, ObjectHistory>();
  readonly #listeners = new Map<string, Set<(event: StoreEvent) => void>>();
  /** Written, and listeners not told of it yet. */
  readonly #untold: { resource: string; event: StoreEvent }[] = [];
  #telling = false;
  /** 1 before the first write, as etcd's. */
  #version = 1;
  /** What happened before that is forgotten for all kinds. */
  #forgotten = 1;
  #past: { resource: string; version: number; bucket: ObjectBucket } | undefined;

  constructor({ clock, state, history = DEFAULT_HISTORY }: MemoryObjectStoreOptions) {
    this.#clock = clock;
    this.#state = state;
    this.#limits = history;
    for (const change of state?.load() ?? []) this.#restore(change);
    this.#forgotten = this.#version;
  }

  get version(): number {
    return this.#version;
  }

  get = ({ resource, namespace, name }: StoreKey): ApiObject | undefined =>
    this.#buckets.get(resource)?.get(keyOf(namespace, name));

  list = (resource: string, namespace: string): readonly ApiObject[] =>
    this.#buckets.get(resource)?.list(namespace) ?? [];

  listAt = (
    resource: string,
    namespace: string,
    version: number,
  ): readonly ApiObject[] | undefined => {
    const later = this.since(resource, version);
    if (!later) return undefined;
    if (later.length === 0) return this.list(resource, namespace);
    return this.#bucketAt(resource, version, later).list(namespace);
  };

  since = (resource: string, version: number): readonly StoreEvent[] | undefined => {
    if (version === this.#version) return [];
    const history = this.#history(resource);
    history.forgetOld(this.#clock.monotonicMs());
    return history.after(version);
  };

  oldest = (resource: string): number => {
    const history = this.#history(resource);
    history.forgetOld(this.#clock.monotonicMs());
    return history.since;
  };

  write = (
    key: StoreKey,
    change: (now: ApiObject | undefined) => ApiObject | undefined,
  ): StoreEvent | undefined => {
    const before = this.get(key);
    const after = change(before);
    if (after === before) return undefined;
    const event = eventOf(before, after, this.#version + 1);
    this.#state?.append(changeOf(key, event)); // O3
    this.#apply(key, event);
    if (this.#state?.full) this.#state.compact(this.#snapshot());
    this.#tell(key.resource, event);
    return event;
  };

  subscribe = (resource: string, listener: (event: StoreEvent) => void): (() => void) => {
    const listeners = this.#listeners.get(resource) ?? new Set();
    this.#listeners.set(resource, listeners);
    const own = (event: StoreEvent) => listener(event); // The same function may subscribe twice.
    listeners.add(own);
    return () => void listeners.delete(own);
  };

  compact = (): void => {
    this.#forgotten = this.#version;
    this.#past = undefined;
    for (const history of this.#histories.values()) history.compact(this.#version);
  };

  /** Lets go of what keeps the objects; no write may follow. */
  close(): void {
    this.#state?.close();
  }

  #restore({ resource, namespace, name, object, version }: ObjectChange): void {
    this.#version = Math.max(this.#version, version);
    if (resource === "") return;
    if (object) this.#bucket(resource).set(keyOf(namespace, name), frozen(object));
    else this.#bucket(resource).delete(keyOf(namespace, name));
  }

  #apply({ resource, namespace, name }: StoreKey, event: StoreEvent): void {
    const bucket = this.#bucket(resource);
    const key = keyOf(namespace, name);
    if (event.type === "DELETED") bucket.delete(key);
    else bucket.set(key, event.object);
    this.#history(resource).add(event, this.#clock.monotonicMs());
    this.#version = event.version;
  }

  #tell(resource: string, event: StoreEvent): void {
    this.#untold.push({ resource, event });
    if (this.#telling) return; // O4: by the loop below, further up the stack.
    this.#telling = true;
    try {
      for (let next = this.#untold.shift(); next; next = this.#untold.shift()) {
        for (const listener of this.#listeners.get(next.resource) ?? []) listener(next.event);
      }
    } finally {
      this.#telling = false;
    }
  }

  /** Undoes what came later. The last one is kept: the pages of a list ask for the same version. */
  #bucketAt(resource: string, version: number, later: readonly StoreEvent[]): ObjectBucket {
    const past = this.#past;
    if (past?.resource === resource && past.version === version) return past.bucket;
    const bucket = this.#bucket(resource).copy();
    for (const { object, before } of later.toReversed()) {
      const key = keyOf(object.metadata.namespace ?? "", object.metadata.name);
      if (before) bucket.set(key, before);
      else bucket.delete(key);
    }
    this.#past = { resource, version, bucket };
    return bucket;
  }

  *#snapshot(): Iterable<ObjectChange> {
    const version = this.#version;
    yield { resource: "", namespace: "", name: "", version };
    for (const [resource, bucket] of this.#buckets) {
      for (const object of bucket.list("")) {
        const { namespace = "", name, resourceVersion } = object.metadata;
        yield { resource, namespace, name, object, version: Number(resourceVersion) };
      }
    }
  }

  #bucket(resource: string): ObjectBucket {
    const known = this.#buckets.get(resource);
    if (known) return known;
    const made = new ObjectBucket();
    this.#buckets.set(resource, made);
    return made;
  }

  #history(resource: string): ObjectHistory {
    const known = this.#histories.get(resource);
    if (known) return known;
    const made = new ObjectHistory(this.#forgotten, this.#limits);
    this.#histories.set(resource, made);
    return made;
  }
}

function keyOf(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

function eventOf(
  before: ApiObject | undefined,
  after: ApiObject | undefined,
  version: number,
): StoreEvent {
  const last = after ?? before;
  if (!last) throw new Error("writing an object: expected one before or after, got none");
  const metadata = { ...last.metadata, resourceVersion: String(version) };
  const object = frozen({ ...last, metadata });
  if (!before) return { type: "ADDED", object, version };
  return { type: after ? "MODIFIED" : "DELETED", object, before, version };
}

function changeOf({ resource, namespace, name }: StoreKey, event: StoreEvent): ObjectChange {
  const key = { resource, namespace, name, version: event.version };
  return event.type === "DELETED" ? key : { ...key, object: event.object };
}
