import type { KubernetesObject } from "../../shared/api/object.ts";
import type { Clock } from "../../shared/clock.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import { NO_RECORD, type ObjectRecord, type RunStart } from "../../shared/queue/record.ts";
import { type RecordStore, type RevisionStore, recordId } from "../../shared/queue/record-store.ts";
import { startRun } from "../../shared/queue/record-transitions.ts";
import type { RequestQueue } from "../../shared/queue/request-queue.ts";
import type { MemoryRecordStore } from "../../shared/testing/memory-record-store.ts";
import { FINALIZER } from "./controllers.ts";

type Store = RecordStore & RevisionStore;

/** A rule that is broken on purpose, by what stands between the real code and what it calls. */
export interface Dont {
  readonly watcherStore?: (store: MemoryRecordStore, clock: Clock) => Store;
  readonly watcherQueue?: (queue: RequestQueue) => RequestQueue;
  readonly workerStore?: (store: MemoryRecordStore) => RecordStore;
  readonly workerQueue?: (queue: RequestQueue) => RequestQueue;
  readonly workerKube?: (kube: KubeClient) => KubeClient;
}

/** How long a record is kept by those who must not keep any. */
const CACHE_MS = 60_000;

/** Watchers that start later than that are restarts. */
const STARTED_MS = 60_000;

/** What the protocol forbids, by name. Each must be found. */
export const DONTS = {
  "bare key as id": {
    watcherQueue: (queue) => ({
      ...queue,
      send: (requests) => queue.send(requests.map((each) => ({ ...each, cause: "change" }))),
    }),
  },
  "epoch read from a cache": {
    watcherStore: (store, clock) => changed(store, { read: cachedRead(store, clock) }),
  },
  "epoch raised after reading": {
    workerStore: (store) => {
      const starts = new Map<string, RunStart>();
      return changed(store, {
        start: async (key, start) => {
          const result = startRun(store.record(key) ?? NO_RECORD, start);
          if (result.started) starts.set(recordId(key), start);
          return result;
        },
        end: async (key, end) => {
          const start = starts.get(recordId(key));
          if (start) await store.start(key, start);
          return store.end(key, end);
        },
      });
    },
  },
  "lock taken while its run lives": {
    workerStore: (store) =>
      changed(store, {
        start: (key, start) => {
          const { runId: _, ...free } = store.record(key) ?? NO_RECORD;
          store.put(key, free);
          return store.start(key, start);
        },
      }),
  },
  "acknowledged before the end": {
    workerQueue: (queue) => ({
      ...queue,
      changeVisibility: (entries) =>
        queue.delete(entries.map(({ receiptHandle }) => receiptHandle)),
    }),
  },
  "timer cleared at the start of a run": {
    workerStore: (store) =>
      changed(store, {
        start: async (key, start) => {
          const result = await store.start(key, start);
          const { dueAt: _, ...rest } = store.record(key) ?? NO_RECORD;
          if (result.started) store.put(key, rest);
          return result;
        },
      }),
  },
  "failures forgotten": {
    workerStore: (store) =>
      changed(store, {
        start: async (key, start) => {
          const before = store.record(key);
          if (before) store.put(key, { ...before, failures: 0 });
          return store.start(key, start);
        },
      }),
  },
  "nothing covered": {
    watcherStore: (store) =>
      changed(store, {
        read: async (keys) => {
          const { records, unread } = await store.read(keys);
          const blind = [...records].map(([id, record]) => [id, unseen(record)] as const);
          return { records: new Map(blind), unread };
        },
        list: async function* (owner) {
          for await (const page of store.list(owner)) {
            yield page.map(({ key, record }) => ({ key, record: unseen(record) }));
          }
        },
      }),
  },
  "new revision not told": {
    watcherStore: (store) =>
      changed(store, {
        revisions: async (cluster) =>
          new Map([...(await store.revisions(cluster)).keys()].map((name) => [name, "r1"])),
      }),
  },
  "no backfill after a restart": {
    watcherStore: (store, clock) =>
      changed(store, {
        list: async function* (owner) {
          if (clock.monotonicMs() > STARTED_MS) await new Promise<never>(() => {});
          yield* store.list(owner);
        },
      }),
  },
  "timers not fired": { watcherStore: (store) => changed(store, { due: async () => [] }) },
  "finalizer not removed": {
    workerKube: (kube) => ({ ...kube, patch: (kind, key) => kube.get(kind, key) as never }),
  },
  "finalizer removed first": {
    workerKube: (kube) => ({ ...kube, get: finalizerFirst(kube) }),
  },
  "status replaced whole": {
    workerKube: (kube) => ({ ...kube, apply: wholeStatus(kube) }),
  },
} as const satisfies Readonly<Record<string, Dont>>;

export type DontName = keyof typeof DONTS;

function changed(store: MemoryRecordStore, changes: Partial<Store>): Store {
  const { read, start, end, due, clearTimer, revisions, putRevision } = store;
  const list: Store["list"] = (owner) => store.list(owner);
  return { read, start, end, due, clearTimer, revisions, putRevision, list, ...changes };
}

function cachedRead(store: MemoryRecordStore, clock: Clock): Store["read"] {
  const cache = new Map<string, { readonly record: ObjectRecord; readonly untilMs: number }>();
  return async (keys) => {
    const nowMs = clock.monotonicMs();
    const fresh = keys.filter((key) => (cache.get(recordId(key))?.untilMs ?? 0) <= nowMs);
    const { records, unread } = await store.read(fresh);
    for (const [id, record] of records) cache.set(id, { record, untilMs: nowMs + CACHE_MS });
    const all = keys.map((key) => [recordId(key), cache.get(recordId(key))?.record] as const);
    const known = all.flatMap(([id, record]) => (record ? [[id, record] as const] : []));
    return { records: new Map(known), unread };
  };
}

function unseen(record: ObjectRecord): ObjectRecord {
  const { seen: _, ...rest } = record;
  return rest;
}

function finalizerFirst(kube: KubeClient): KubeClient["get"] {
  return async (kind, key, options) => {
    const object = await kube.get(kind, key, options);
    if (object?.metadata.deletionTimestamp && object.metadata.finalizers?.includes(FINALIZER)) {
      const finalizers = object.metadata.finalizers.filter((each) => each !== FINALIZER);
      await kube.patch(kind, key, { type: "merge", patch: { metadata: { finalizers } } });
    }
    return object;
  };
}

function wholeStatus(kube: KubeClient): KubeClient["apply"] {
  return async (kind, key, object, options) => {
    if (options.subresource !== "status") return await kube.apply(kind, key, object, options);
    const live = (await kube.get(kind, key)) as KubernetesObject;
    const whole = { ...live, status: (object as { readonly status?: object }).status };
    const written = await kube.update(kind, key, whole, { subresource: "status" });
    return { object: written as never, created: false };
  };
}
