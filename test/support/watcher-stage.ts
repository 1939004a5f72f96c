import type { Controller } from "../../shared/api/controller.ts";
import type { Key, Kind, KubernetesObject } from "../../shared/api/object.ts";
import type { Lease } from "../../shared/lease/lease.ts";
import { fingerprintsOf } from "../../shared/queue/fingerprint.ts";
import { NO_RECORD, type ObjectRecord, type RunEnd } from "../../shared/queue/record.ts";
import type { RequestKey } from "../../shared/queue/request.ts";
import { SeenBuilder } from "../../shared/queue/seen-builder.ts";
import { MemoryRecordStore } from "../../shared/testing/memory-record-store.ts";
import { RecordedMetrics } from "../../shared/testing/recorded-metrics.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { createWatcher, type Watcher, type WatcherOptions } from "../../watcher/watcher.ts";
import { FakeCluster } from "./fake-cluster.ts";
import { type LoggedLine, recordedLog } from "./recorded-log.ts";
import { WatcherQueue } from "./watcher-queue.ts";

export const CLUSTER = "test";
export const REVISION = "r1";

/** What a test watches with, all in memory. */
export interface WatcherStage {
  readonly clock: VirtualClock;
  readonly cluster: FakeCluster;
  readonly store: MemoryRecordStore;
  readonly queue: WatcherQueue;
  readonly metrics: RecordedMetrics;
  readonly log: readonly LoggedLine[];
  /** Starts a watcher, and lets it sync and lead. */
  readonly start: (options?: StartOptions) => Promise<RunningWatcher>;
  readonly key: (key: Key) => RequestKey;
  /** A run that read these objects and ended so. */
  readonly ran: (key: Key, run?: Partial<RunEnd> & { readonly reads?: Reads }) => Promise<void>;
  /** A run that has started and is not over. */
  readonly running: (key: Key, runUntil?: number) => Promise<void>;
  readonly patch: (key: Key, change: Partial<ObjectRecord>) => void;
}

/** What differs from a watcher that leads, with revision r1. `revisions` undefined: from the store. */
export type StartOptions = Partial<Omit<WatcherOptions, "revisions">> & {
  readonly revisions?: ReadonlyMap<string, string> | undefined;
};

export type Reads = readonly (readonly [Kind, Key])[];

export interface RunningWatcher {
  readonly watcher: Watcher;
  readonly stop: () => Promise<void>;
}

/** A lease that nobody else wants. */
export const alwaysHeld: Pick<Lease, "held" | "whileHeld"> = {
  held: true,
  whileHeld: (lead, signal) => lead(signal, 1),
};

/** @param controllers All share one queue. */
export function watcherStage(...controllers: readonly Controller[]): WatcherStage {
  const clock = new VirtualClock();
  const cluster = new FakeCluster({ clock, garbageCollector: false });
  cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "kube-system" } });
  const store = new MemoryRecordStore();
  const queue = new WatcherQueue(clock);
  const metrics = new RecordedMetrics();
  const { log, logged } = recordedLog();
  const [first] = controllers;
  if (!first) throw new Error("a stage needs a controller");
  const key = ({ namespace, name }: Key): RequestKey => ({
    cluster: CLUSTER,
    controller: first.name,
    namespace,
    name,
  });
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  const start: WatcherStage["start"] = async (options = {}) => {
    const known = new Map(controllers.map(({ name }) => [name, REVISION]));
    const { revisions, ...rest } = { revisions: known, ...options };
    const stopping = new AbortController();
    const watcher = createWatcher({
      controllers,
      cluster: CLUSTER,
      transport: cluster,
      store,
      queues: new Map(controllers.map(({ name }) => [name, queue])),
      lease: () => alwaysHeld,
      clock,
      serverNowMs: clock.nowMs,
      random: () => 0.5,
      newId,
      log,
      metrics,
      ...(revisions && { revisions }),
      ...rest,
    });
    const running = watcher.run(stopping.signal);
    await clock.advance(2_000);
    return {
      watcher,
      stop: async () => {
        let ended = false;
        const end = running.finally(() => {
          ended = true;
        });
        stopping.abort();
        for (let tries = 0; tries < 50 && !ended; tries += 1) await clock.advance(tries * 10);
        await end;
      },
    };
  };
  const ran = endedRun({ clock, cluster, store, newId, controller: first, key });
  return {
    clock,
    cluster,
    store,
    queue,
    metrics,
    log: logged,
    start,
    key,
    ran,
    running: async (named, runUntil = clock.nowMs() + 60_000) => {
      const run = { runId: newId(), nowMs: clock.nowMs(), runUntil, reason: "test" };
      await store.start(key(named), run);
    },
    patch: (named, change) => {
      const record = store.record(key(named)) ?? NO_RECORD;
      store.put(key(named), { ...record, ...change });
    },
  };
}

interface RunParts extends Pick<WatcherStage, "clock" | "cluster" | "store" | "key"> {
  readonly newId: () => string;
  readonly controller: Controller;
}

function endedRun({
  clock,
  cluster,
  store,
  newId,
  controller,
  key,
}: RunParts): WatcherStage["ran"] {
  return async (named, { reads, ...end } = {}) => {
    const seen = new SeenBuilder(fingerprintsOf(controller));
    for (const [kind, of] of reads ?? [[controller.for, named]]) {
      const object = cluster.get(kind, of) as KubernetesObject | undefined;
      if (object) seen.read(kind, object);
    }
    const runId = newId();
    const nowMs = clock.nowMs();
    const started = await store.start(key(named), {
      runId,
      nowMs,
      runUntil: nowMs + 65_000,
      reason: "test",
    });
    if (!started.started) throw new Error("the key is locked");
    await store.end(key(named), {
      epoch: started.record.epoch,
      outcome: "success",
      failures: 0,
      finishedAt: nowMs,
      revision: REVISION,
      seen: seen.encode(),
      ...end,
    });
  };
}
