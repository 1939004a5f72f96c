import { expect, test } from "@jest/globals";
import { defineController } from "../../shared/api/controller.ts";
import { Lease } from "../../shared/lease/lease.ts";
import type { LeaseRecord } from "../../shared/lease/lease-store.ts";
import { loggerOf } from "../../shared/telemetry/logger-of.ts";
import { type LeaseFault, MemoryLeaseStore } from "../../shared/testing/memory-lease-store.ts";
import type { WatcherOptions } from "../../watcher/watcher.ts";
import { Widget, widget } from "../support/watcher-objects.ts";
import { type WatcherStage, watcherStage } from "../support/watcher-stage.ts";

function stage() {
  const made = watcherStage(defineController({ name: "widgets", for: Widget }));
  made.cluster.serve(Widget);
  return { ...made, leases: new MemoryLeaseStore() };
}

/** Makes the lease of one replica; `fault` is asked at each of its calls. */
function replica(
  made: WatcherStage & { readonly leases: MemoryLeaseStore },
  holder: string,
  fault: () => LeaseFault | undefined = () => undefined,
): Pick<WatcherOptions, "lease"> & { readonly exits: number[] } {
  const exits: number[] = [];
  let versions = 0;
  return {
    exits,
    lease: (clusterUid) =>
      new Lease({
        store: made.leases.connection({ fault, clock: made.clock }),
        clock: made.clock,
        holder,
        clusterUid,
        newId: () => {
          versions += 1;
          return `${holder}-${versions}`;
        },
        random: () => 0.5,
        log: loggerOf(() => {}),
        metrics: made.metrics,
        exit: () => exits.push(made.clock.monotonicMs()),
      }),
  };
}

const silence: LeaseFault = { happens: false, answer: "silence" };

test("one of two replicas forwards; the other takes over within seconds of a release, and finds what changed", async () => {
  const made = stage();
  const first = await made.start(replica(made, "one"));
  const second = await made.start(replica(made, "two"));
  expect([first.watcher.health().leading, second.watcher.health().leading]).toEqual([true, false]);
  expect(second.watcher.health().sources).toMatchObject([{ state: "synced" }]);

  made.cluster.apply(widget("web"));
  await made.clock.advance(200);
  expect(made.queue.drain()).toEqual(["a/web change"]);

  await first.stop();
  made.cluster.apply(widget("late"));
  await made.ran({ namespace: "a", name: "web" });
  await made.clock.advance(4_000);
  expect(second.watcher.health().leading).toBe(true);
  expect(made.queue.drain()).toEqual(["a/late backfill"]);
  await second.stop();
});

test("B20: a leader that cannot renew stops before a rival starts, and sends nothing more", async () => {
  const made = stage();
  let cut = false;
  const first = await made.start(replica(made, "one", () => (cut ? silence : undefined)));
  const second = await made.start(replica(made, "two"));
  cut = true;
  let leaders = 0;
  for (let second_ = 0; second_ < 30; second_ += 1) {
    await made.clock.advance(1_000);
    const leading = [first, second].filter(({ watcher }) => watcher.health().leading);
    leaders = Math.max(leaders, leading.length);
  }
  expect(leaders).toBe(1);
  expect(second.watcher.health().leading).toBe(true);
  made.cluster.apply(widget("web"));
  await made.clock.advance(1_000);
  expect(made.queue.sent).toHaveLength(1);
  await Promise.all([first.stop(), second.stop()]);
});

test("B21: when its lease is taken by hand, a leader stops, and begins anew when it wins again", async () => {
  const made = stage();
  const { watcher, stop } = await made.start(replica(made, "one"));
  const taken: LeaseRecord = {
    holder: "other",
    version: "x",
    durationMs: 15_000,
    term: 9,
    clusterUid: made.leases.record?.clusterUid ?? "",
  };
  made.leases.record = taken;
  await made.clock.advance(5_000);
  expect(watcher.health().leading).toBe(false);
  made.cluster.apply(widget("web"));
  made.patch({ namespace: "a", name: "timed" }, { epoch: 1, dueAt: made.clock.nowMs() });
  await made.clock.advance(5_000);
  expect(made.queue.sent).toEqual([]);
  await made.clock.advance(20_000);
  expect(watcher.health().leading).toBe(true);
  const names = new Set(made.queue.sent.map(({ request }) => request.name));
  expect(names).toEqual(new Set(["timed", "web"]));
  await stop();
});

test("B22: a leader that was frozen sends nothing when it wakes after its deadline", async () => {
  const made = stage();
  let held = true;
  const { stop } = await made.start({
    lease: () => ({
      get held() {
        return held;
      },
      whileHeld: (lead, signal) => lead(signal, 1),
    }),
  });
  let release = () => {};
  const { read } = made.store;
  made.store.read = async (keys) => {
    await new Promise<void>((resolve) => (release = resolve));
    return read(keys);
  };
  made.cluster.apply(widget("web"));
  await made.clock.advance(200);
  held = false; // The deadline passed; the signal has not come yet.
  release();
  await made.clock.advance(100);
  expect(made.queue.sent).toEqual([]);
  await stop();
});

test("a table and a queue that do not answer do not keep a leader from stopping at once", async () => {
  const made = stage();
  const lease = replica(made, "one");
  const { watcher, stop } = await made.start(lease);
  const never = () => new Promise<never>(() => {});
  made.store.read = never;
  made.store.due = never;
  made.queue.delay = never;
  made.cluster.apply(widget("web"));
  await made.clock.advance(5_000);
  await stop();
  expect(watcher.health().leading).toBe(false);
  expect(lease.exits).toEqual([]);
  expect(made.leases.record?.holder).toBe("");
});

test("a cluster that was made anew under the same name is refused", async () => {
  const made = stage();
  made.leases.record = {
    holder: "",
    version: "x",
    durationMs: 15_000,
    term: 1,
    clusterUid: "of the former cluster",
  };
  const { watcher, stop } = await made.start(replica(made, "one"));
  made.cluster.apply(widget("web"));
  await made.clock.advance(60_000);
  expect(watcher.health().leading).toBe(false);
  expect(made.queue.sent).toEqual([]);
  await stop();
});

test("nothing is led before the cluster's identity is known, and one line says why", async () => {
  const made = stage();
  made.cluster.fault(({ path }) =>
    path.endsWith("/kube-system") ? new Error("connection refused") : undefined,
  );
  const { watcher, stop } = await made.start(replica(made, "one"));
  made.cluster.apply(widget("web"));
  await made.clock.advance(300_000);
  expect(watcher.health()).toMatchObject({ leading: false, ready: true, live: true });
  const lines = () => made.log.filter(({ fields }) => String(fields.what).includes("kube-system"));
  expect(lines()).toHaveLength(1);
  made.cluster.fault(() => undefined);
  await made.clock.advance(40_000);
  expect(made.queue.drain()).toEqual(["a/web backfill"]);
  expect(lines()).toHaveLength(2);
  await stop();
});

test("an API server that is away for an hour costs readiness at a start, never liveness, and few lines", async () => {
  const made = stage();
  made.cluster.fault(() => new Error("connection refused"));
  const { watcher, stop } = await made.start(replica(made, "one"));
  await made.clock.advance(3_600_000);
  expect(watcher.health()).toMatchObject({ ready: false, live: true });
  expect(made.log.filter(({ level }) => level !== "debug").length).toBeLessThan(5);
  made.cluster.fault(() => undefined);
  await made.clock.advance(90_000);
  expect(watcher.health()).toMatchObject({ ready: true, live: true, leading: true });
  await stop();
});

test("a reflector that neither hears nor asks is dead", async () => {
  const made = stage();
  const { watcher, stop } = await made.start({
    transport: {
      request: made.cluster.request,
      close: made.cluster.close,
      stream: () => new Promise(() => {}),
    },
  });
  // The whole process stood still but for the probe.
  made.clock.sleep = () => new Promise(() => {});
  await made.clock.advance(540_000);
  expect(watcher.health().live).toBe(true);
  await made.clock.advance(120_000);
  expect(watcher.health().live).toBe(false);
  void stop;
});

test("Q11: two that lead at once make no message more", async () => {
  const made = stage();
  const first = await made.start();
  const second = await made.start();
  made.cluster.apply(widget("web"));
  await made.clock.advance(200);
  expect(made.queue.sent).toHaveLength(2);
  expect(made.queue.queued).toEqual(["a/web change"]);
  await Promise.all([first.stop(), second.stop()]);
});
