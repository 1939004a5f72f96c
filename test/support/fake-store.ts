import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../shared/clock.ts";
import { type Managers, updatedManagers } from "./fake-managers.ts";
import {
  conflict,
  copy,
  invalid,
  type Json,
  namedDetails,
  Refusal,
  type ServedKind,
  type Stored,
  type StoredMeta,
  textOf,
} from "./fake-object.ts";

export interface StoredChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly version: number;
  readonly kind: ServedKind;
  readonly now: Stored;
  readonly before?: Stored;
}

/** What a write may change: the object without its status, the status alone, or both (direct writes of tests). */
export type Scope = "main" | "status" | "all";

/** The versioned objects of the fake cluster, with the rules that a real server has for every write. */
export class FakeStore {
  version = 100;
  /** Watches from before this version are told that it is too old. */
  compactedVersion = 0;
  readonly changes: StoredChange[] = [];
  readonly terminatingNamespaces = new Set<string>();
  readonly #clock: Clock;
  readonly #kinds = new Map<string, { kind: ServedKind; objects: Map<string, Stored> }>();
  readonly #managers = new Map<string, Managers>();
  readonly #onChange: (change: StoredChange) => void;
  #created = 0;
  #rehearsing = false;

  constructor(clock: Clock, onChange: (change: StoredChange) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** In the order of their keys, as a real server lists them. */
  list(kind: ServedKind): readonly Stored[] {
    const entries = [...this.#of(kind)];
    return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  get(kind: ServedKind, key: { namespace?: string; name: string }): Stored | undefined {
    return this.#of(kind).get(textOf(key));
  }

  managersOf(object: Stored | undefined): Managers {
    return (object && this.#managers.get(object.metadata.uid)) ?? new Map();
  }

  /** `dryRun`: the answer of a write, without the write. */
  rehearse<T>(write: () => T): T {
    this.#rehearsing = true;
    try {
      return write();
    } finally {
      this.#rehearsing = false;
    }
  }

  create(kind: ServedKind, wanted: Json, scope: Scope, owners: string | Managers): Stored {
    const { generateName, ...given } = (wanted.metadata ?? {}) as Partial<StoredMeta>;
    this.#created += 1;
    const suffix = this.#created.toString(36).padStart(5, "0");
    const name = given.name ?? (generateName ? `${generateName}${suffix}` : "");
    const key = { namespace: given.namespace ?? "", name };
    this.#admitNew(kind, key, given.resourceVersion);
    const { deletionTimestamp: _, deletionGracePeriodSeconds: __, ...meta } = given;
    const object: Stored = {
      ...(scope === "main" && kind.status ? { ...wanted, status: undefined } : wanted),
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      metadata: {
        ...compact(meta),
        ...(generateName === undefined ? {} : { generateName }),
        name,
        uid: `00000000-0000-4000-8000-${String(this.#created).padStart(12, "0")}`,
        resourceVersion: "",
        creationTimestamp: this.#time(),
        ...(kind.counted ? { generation: 1 } : {}),
      },
    };
    return this.#commit({ type: "ADDED", kind, now: copy(object) }, owners);
  }

  /** `wanted` is the whole object as the write makes it. A write that changes nothing is none. */
  replace(
    kind: ServedKind,
    live: Stored,
    wanted: Json,
    { scope, owners }: { readonly scope: Scope; readonly owners: string | Managers },
  ): Stored {
    const metadata = scope === "status" ? live.metadata : metadataOf(kind, live, wanted);
    const status = scope === "main" && kind.status ? live.status : wanted.status;
    const body = scope === "status" ? live : wanted;
    const identity = { apiVersion: kind.apiVersion, kind: kind.kind };
    const next: Stored = copy({ ...body, ...identity, metadata, status });
    if (isDeepStrictEqual(next, copy(live))) return this.#own(live, live, owners);
    const counts = kind.counted && !isDeepStrictEqual(specOf(next), specOf(live));
    const generation = (live.metadata.generation ?? 0) + (counts ? 1 : 0);
    const now = kind.counted ? { ...next, metadata: { ...metadata, generation } } : next;
    const gone = metadata.deletionTimestamp !== undefined && !metadata.finalizers?.length;
    return this.#commit({ type: gone ? "DELETED" : "MODIFIED", kind, now, before: live }, owners);
  }

  /** Deletes, or marks as terminating where finalizers remain. */
  remove(
    kind: ServedKind,
    live: Stored,
    propagation: "Background" | "Foreground" = "Background",
  ): Stored {
    const { finalizers = [], generation, deletionTimestamp } = live.metadata;
    const all = [...finalizers, ...(propagation === "Foreground" ? ["foregroundDeletion"] : [])];
    if (all.length === 0) {
      return this.#commit({ type: "DELETED", kind, now: live, before: live }, "");
    }
    if (deletionTimestamp !== undefined) return live;
    const metadata = {
      ...live.metadata,
      ...(generation === undefined ? {} : { generation: generation + 1 }),
      deletionTimestamp: this.#time(),
      deletionGracePeriodSeconds: 0,
      finalizers: [...new Set(all)],
    };
    return this.#commit({ type: "MODIFIED", kind, now: { ...live, metadata }, before: live }, "");
  }

  /** Every object of every kind, for the garbage collector. */
  *everything(): Generator<{ readonly kind: ServedKind; readonly object: Stored }> {
    for (const { kind, objects } of this.#kinds.values()) {
      for (const object of objects.values()) yield { kind, object };
    }
  }

  #of(kind: ServedKind): Map<string, Stored> {
    const id = `${kind.apiVersion}/${kind.plural}`;
    const objects = this.#kinds.get(id)?.objects ?? new Map<string, Stored>();
    this.#kinds.set(id, { kind, objects });
    return objects;
  }

  #admitNew(kind: ServedKind, key: { namespace: string; name: string }, version?: string): void {
    const { namespace, name } = key;
    if (name === "") throw invalid(kind, name, "metadata.name", "name or generateName is required");
    if (version) {
      throw new Refusal(500, "", "resourceVersion should not be set on objects to be created");
    }
    if (this.#of(kind).has(textOf(key))) {
      const message = `${kind.plural} "${name}" already exists`;
      throw new Refusal(409, "AlreadyExists", message, namedDetails(kind, name));
    }
    if (this.terminatingNamespaces.has(namespace)) {
      const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
      throw new Refusal(403, "Forbidden", `${kind.plural} "${name}" is forbidden: ${why}`, {
        ...namedDetails(kind, name),
        causes: [{ reason: "NamespaceTerminating", field: "metadata.namespace", message: why }],
      });
    }
  }

  #commit(change: Omit<StoredChange, "version">, owners: string | Managers): Stored {
    const { type, kind, now, before } = change;
    if (this.#rehearsing) return now;
    this.version += 1;
    const metadata = { ...now.metadata, resourceVersion: String(this.version) };
    const stored: Stored = { ...now, metadata };
    if (type === "DELETED") {
      this.#of(kind).delete(textOf(metadata));
      this.#managers.delete(metadata.uid);
    } else {
      this.#of(kind).set(textOf(metadata), stored);
      this.#own(before, stored, owners);
    }
    const logged = { ...change, now: stored, version: this.version };
    this.changes.push(logged);
    this.#onChange(logged);
    return stored;
  }

  #own(before: Stored | undefined, now: Stored, owners: string | Managers): Stored {
    if (this.#rehearsing || owners === "") return now;
    const managers =
      typeof owners === "string"
        ? updatedManagers(before, now, this.managersOf(now), `${owners}|Update`)
        : owners;
    this.#managers.set(now.metadata.uid, managers);
    return now;
  }

  #time(): string {
    return `${new Date(this.#clock.nowMs()).toISOString().slice(0, 19)}Z`;
  }
}

/** The metadata after an update: what the server alone sets stays. */
function metadataOf(kind: ServedKind, live: Stored, wanted: Json): StoredMeta {
  const given = (wanted.metadata ?? {}) as Partial<StoredMeta>;
  const { uid, resourceVersion, deletionTimestamp, finalizers = [] } = live.metadata;
  const { name, namespace, creationTimestamp, generation } = live.metadata;
  if (given.uid && given.uid !== uid) {
    const why = `Precondition failed: UID in precondition: ${given.uid}, UID in object meta: ${uid}`;
    throw conflict(kind, name, why);
  }
  const added = (given.finalizers ?? []).filter((finalizer) => !finalizers.includes(finalizer));
  if (deletionTimestamp && added.length > 0) {
    const why =
      "no new finalizers can be added if the object is being deleted, found new finalizers";
    throw invalid(kind, name, "metadata.finalizers", `Forbidden: ${why} ${JSON.stringify(added)}`);
  }
  const { deletionGracePeriodSeconds } = live.metadata;
  const kept = { name, namespace, uid, resourceVersion, creationTimestamp, generation };
  return compact(copy({ ...given, ...kept, deletionTimestamp, deletionGracePeriodSeconds }));
}

/** Empty lists and maps in the metadata are not kept. */
function compact<T extends object>(metadata: T): T {
  const entries = Object.entries(metadata);
  const kept = entries.filter(([, value]) => !isObject(value) || Object.keys(value).length > 0);
  return Object.fromEntries(kept) as T;
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === "object";
}

function specOf({ metadata: _metadata, status: _status, ...spec }: Stored): Json {
  return spec;
}
