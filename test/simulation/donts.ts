import type { KubernetesObject } from "../../shared/api/object.ts";
import type { Clock } from "../../shared/clock.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import { NO_RECORD, type ObjectRecord, type RunStart } from "../../shared/queue/record.ts";
import { type RecordStore, type RevisionStore, recordId } from "../../shared/queue/record-store.ts";
import { startRun } from "../../shared/queue/record-transitions.ts";
import type { RequestQueue } from "../../shared/queue/request-queue.ts";
import type { MemoryRecordStore } from "../../shared/testing/memory-record-store.ts";
import type { Act, Scale } from "./act.ts";
import type { Cluster } from "./cluster.ts";
import { FINALIZER } from "./controllers.ts";
import { ownWritesLeftOut, seenAtTheEnd } from "./seen-donts.ts";

type Store = RecordStore & RevisionStore;

/** A rule that is broken on purpose, by what stands between the real code and what it calls. */
export interface Dont {
  readonly watcherStore?: (store: MemoryRecordStore, clock: Clock) => Store;
  readonly watcherQueue?: (queue: RequestQueue) => RequestQueue;
  readonly workerStore?: (store: MemoryRecordStore, cluster: Cluster) => RecordStore;
  readonly workerQueue?: (queue: RequestQueue) => RequestQueue;
  readonly workerKube?: (kube: KubeClient) => KubeClient;
  /** Of simulations in which it shows soon, instead of the seed's. */
  readonly scale?: Partial<Scale>;
  /** What leads there, instead of what the seed draws. */
  readonly plan?: readonly Act[];
}

/** How long a record is kept by those who must not keep any. */
const CACHE_MS = 60_000;

/** Watchers that start later than that are restarts. */
const STARTED_MS = 60_000;

/** Runs whose message is gone because it came twice. */
const DUPLICATES: Partial<Scale> = {
  gadgets: 2,
  tickers: 12,
  changesPerMinute: 1,
  faultsPerMinute: 20,
  faults: ["duplicate delivery", "function killed", "function frozen"],
};

/** A second run of the same message goes by what is there for a moment only, and dies half done. */
const GONE_BACK: readonly Act[] = [
  {
    atMs: 30_000,
    name: "duplicate delivery",
    details: { controller: "builder", times: 1, againMs: 5_000 },
  },
  { atMs: 30_000, name: "gadget written", details: { gadget: 0, size: 50, setting: 0 } },
  // Nobody tells of the moment until it is over.
  { atMs: 34_000, name: "watcher paused", details: { replica: 0, ms: 6_000 } },
  { atMs: 34_000, name: "watcher paused", details: { replica: 1, ms: 6_000 } },
  {
    atMs: 34_500,
    name: "setting changed for a moment",
    details: { setting: 0, value: 100, ms: 4_000 },
  },
  // By then it has said so outside, which nobody watches.
  { atMs: 34_500, name: "call hung", details: { of: "write", times: 3 } },
  { atMs: 34_500, name: "table throttled", details: { operation: "end", times: 4 } },
  // After the last act all is healed.
  { atMs: 90_000, name: "gadget labelled", details: { gadget: 1, label: "9" } },
];

/**
 * A message comes twice, and the second run dies half done: by then nothing but the timer is left. The
 * ticker of two minutes ticks at about 22 min, when no pass of the first quarter of an hour of a leader
 * finds runs that died any more.
 */
const TICKED_TWICE: readonly Act[] = [
  {
    atMs: 1_250_000,
    name: "duplicate delivery",
    details: { controller: "ticking", times: 1, againMs: 100_000 },
  },
  { atMs: 1_370_000, name: "call hung", details: { of: "read", times: 1 } },
  { atMs: 1_370_000, name: "function killed", details: { controller: "ticking", afterMs: 1_000 } },
  // After the last act all is healed.
  { atMs: 1_500_000, name: "gadget labelled", details: { gadget: 1, label: "9" } },
];

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
    scale: { ...DUPLICATES, tickers: 1, changesPerMinute: 30 },
  },
  "expired lock taken for a free one": {
    watcherStore: (store, clock) =>
      withRecords(store, (record) => {
        const { runId, runUntil = 0, ...free } = record;
        return runId !== undefined && runUntil < clock.nowMs() ? free : record;
      }),
    scale: { gadgets: 2, settings: 1, tickers: 0 },
    plan: GONE_BACK,
  },
  "lock kept at the end": {
    workerStore: (store) =>
      changed(store, {
        end: async (key, end) => {
          const { runId, runUntil } = store.record(key) ?? NO_RECORD;
          const ended = await store.end(key, end);
          const record = store.record(key);
          if (ended && record && runId !== undefined && runUntil !== undefined)
            store.put(key, { ...record, runId, runUntil });
          return ended;
        },
      }),
  },
  "safety timer left out": {
    workerStore: (store) =>
      changed(store, {
        end: (key, end) => {
          const { dueAt: _, ...rest } = end;
          return store.end(key, end.retryHandle === undefined ? end : rest);
        },
      }),
    scale: { ...DUPLICATES, faults: ["duplicate delivery", "call refused (429, 500, 503)"] },
  },
  "last version in seen": {
    workerStore: (store, cluster) => changed(store, { end: seenAtTheEnd(store, cluster) }),
    scale: { gadgets: 2, changesPerMinute: 20, faults: ["API server slow"] },
  },
  "own writes left out of seen": {
    workerStore: (store) => changed(store, { end: ownWritesLeftOut(store) }),
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
    scale: { gadgets: 2, settings: 1, tickers: 1 },
    plan: TICKED_TWICE,
  },
  "retry not woken": {
    watcherQueue: (queue) => ({ ...queue, wake: async () => {} }),
  },
  "starts of one controller not written": {
    workerStore: (store) =>
      changed(store, {
        start: async (key, start) => {
          if (key.controller === "inspector") throw new Error("not written");
          return await store.start(key, start);
        },
      }),
  },
  "good runs taken for failed": {
    watcherStore: (store) => withRecords(store, (record) => ({ ...record, outcome: "error" })),
    scale: { gadgets: 24 },
  },
  "deletion not seen": {
    workerKube: (kube) => ({ ...kube, get: withoutDeletion(kube) }),
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
    watcherStore: (store) => withRecords(store, unseen),
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

/** What is read of records is another one. */
function withRecords(store: MemoryRecordStore, read: (record: ObjectRecord) => ObjectRecord) {
  return changed(store, {
    read: async (keys) => {
      const { records, unread } = await store.read(keys);
      return { records: new Map([...records].map(([id, each]) => [id, read(each)])), unread };
    },
    list: async function* (owner) {
      for await (const page of store.list(owner)) {
        yield page.map(({ key, record }) => ({ key, record: read(record) }));
      }
    },
  });
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

function withoutDeletion(kube: KubeClient): KubeClient["get"] {
  return async (kind, key, options) => {
    const object = await kube.get(kind, key, options);
    if (!object?.metadata.deletionTimestamp) return object;
    const { deletionTimestamp: _, ...metadata } = object.metadata;
    return { ...object, metadata };
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
