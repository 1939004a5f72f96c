import { expect, test } from "@jest/globals";
import { type ControllerOptions, defineController } from "../../shared/api/controller.ts";
import { NO_RECORD } from "../../shared/queue/record.ts";
import { SHARD_COUNT, shardOf } from "../../shared/queue/record-key.ts";
import { loggerOf } from "../../shared/telemetry/logger-of.ts";
import { noMetrics } from "../../shared/telemetry/metrics.ts";
import { Timers } from "../../watcher/timers.ts";
import { Widget, widget } from "../support/watcher-objects.ts";
import { CLUSTER, watcherStage } from "../support/watcher-stage.ts";

type Options = Partial<ControllerOptions<Widget, [], [], undefined, []>>;

const web = { namespace: "a", name: "web" };

/** A widget that was reconciled, and a watcher that leads. */
async function watching(options: object = {}, serverAheadMs = 0) {
  const made = watcherStage(
    defineController({ name: "widgets", for: Widget, ...(options as Options) }),
  );
  made.cluster.serve(Widget);
  made.cluster.apply(widget("web"));
  await made.ran(web);
  const serverNowMs = () => made.clock.nowMs() + serverAheadMs;
  const running = await made.start({ serverNowMs });
  return { ...made, ...running };
}

test("Q10: a timer that is due is sent with the epoch, its message let go, and then cleared", async () => {
  const { clock, queue, store, key, patch, metrics, stop } = await watching();
  const dueAt = clock.nowMs() + 10_000;
  patch(web, { dueAt, retryHandle: "handle-1" });
  await clock.advance(9_000);
  expect(queue.sent).toEqual([]);
  await clock.advance(2_000);
  expect(queue.sent).toMatchObject([{ request: { ...web, reason: "timer" }, cause: "epoch 1" }]);
  expect(queue.woken).toEqual(["handle-1"]);
  expect(store.record(key(web))).not.toHaveProperty("dueAt");
  expect(metrics.of("TimersFired", { controller: "widgets" })).toEqual([1]);
  await clock.advance(60_000);
  expect(queue.sent).toHaveLength(1);
  await stop();
});

test("Q10: a timer that was replaced while its request was on its way stays", async () => {
  const { clock, queue, store, key, patch, ran, stop } = await watching();
  const dueAt = clock.nowMs() + 1_000;
  patch(web, { dueAt });
  queue.delay = async () => {
    queue.delay = async () => {};
    await ran(web, { dueAt, outcome: "requeue_after" }); // The same instant, another run's.
  };
  await clock.advance(1_500);
  expect(store.record(key(web))).toMatchObject({ epoch: 2, dueAt });
  await clock.advance(1_000);
  expect(queue.sent.map(({ cause }) => cause)).toEqual(["epoch 1", "epoch 2"]);
  expect(store.record(key(web))).not.toHaveProperty("dueAt");
  await stop();
});

test("a timer whose send failed stays", async () => {
  const { clock, queue, store, key, patch, stop } = await watching();
  patch(web, { dueAt: clock.nowMs() + 1_000 });
  queue.accepts = () => false;
  await clock.advance(10_000);
  expect(store.record(key(web))).toHaveProperty("dueAt");
  queue.accepts = () => true;
  await clock.advance(2_000);
  expect(queue.queued).toEqual(["a/web timer"]);
  await stop();
});

test("a timer whose run is live is left alone: the run's end decides", async () => {
  const { clock, queue, patch, running, stop } = await watching();
  await running(web);
  patch(web, { dueAt: clock.nowMs() + 1_000 });
  await clock.advance(30_000);
  expect(queue.sent).toEqual([]);
  await stop();
});

test("a timer that the index still shows, but the record has no more, is not sent", async () => {
  const { clock, queue, store, key, stop } = await watching();
  const { due } = store;
  store.due = async (query) =>
    query.shard === 0 ? [{ key: key(web), dueAt: clock.nowMs() - 1_000 }] : due(query);
  await clock.advance(5_000);
  expect(queue.sent).toEqual([]);
  await stop();
});

test("S3: timers are due by the server's clock", async () => {
  const { clock, queue, patch, stop } = await watching({}, -300_000);
  patch(web, { dueAt: clock.nowMs() + 10_000 });
  await clock.advance(300_000);
  expect(queue.sent).toEqual([]);
  await clock.advance(15_000);
  expect(queue.queued).toEqual(["a/web timer"]);
  await stop();
});

test("the timers of controllers that nobody runs are removed", async () => {
  const { clock, queue, store, stop } = await watching();
  const orphan = { cluster: CLUSTER, controller: "removed", ...web };
  store.put(orphan, { epoch: 3, failures: 0, dueAt: clock.nowMs() + 1_000 });
  await clock.advance(5_000);
  expect(store.record(orphan)).toEqual({ epoch: 3, failures: 0 });
  expect(queue.sent).toEqual([]);
  await stop();
});

test("a timer whose record cannot be read waits, and makes no request in doubt", async () => {
  const { clock, queue, store, key, patch, stop } = await watching();
  patch(web, { dueAt: clock.nowMs() + 1_000 });
  store.leaveUnread(key(web));
  await clock.advance(10_000);
  expect(queue.sent).toEqual([]);
  store.readAgain();
  await clock.advance(3_000);
  expect(queue.queued).toEqual(["a/web timer"]);
  await stop();
});

test("live changes go before timers, which wait for a second at most", async () => {
  const { clock, store, patch, key, stop } = await watching();
  await stop();
  const firedAtMs: number[] = [];
  const target = {
    forwarder: {
      forward: async () => {
        firedAtMs.push(clock.monotonicMs());
        return [{ kind: "sent", epoch: 1 } as const];
      },
    },
    loop: { behind: true },
  };
  const log = loggerOf(() => {});
  const timers = new Timers({
    cluster: CLUSTER,
    targets: new Map([[key(web).controller, target]]),
    store,
    clock,
    serverNowMs: clock.nowMs,
    log,
    metrics: noMetrics,
  });
  patch(web, { dueAt: clock.nowMs() });
  const stopping = new AbortController();
  const startMs = clock.monotonicMs();
  const running = timers.run(stopping.signal);
  await clock.advance(2_000);
  expect(firedAtMs.map((atMs) => atMs - startMs)).toEqual([1_000]);
  stopping.abort();
  await running;
});

test("a table that fails stops no timer for good", async () => {
  const { clock, queue, store, patch, log, stop } = await watching();
  patch(web, { dueAt: clock.nowMs() + 1_000 });
  store.failNext("due", { times: 16 * 100 });
  await clock.advance(60_000);
  expect(log.filter(({ fields }) => fields.what === "timers")).toHaveLength(1);
  store.failNext("due", { times: 0 });
  await clock.advance(3_000);
  expect(queue.queued).toEqual(["a/web timer"]);
  await stop();
});

test("a key is resynced when the period has passed since its last run, with an id of its own", async () => {
  const { clock, queue, stop } = await watching({ resyncSeconds: 600 });
  await clock.advance(0.9 * 600_000 - 30_000);
  expect(queue.sent).toEqual([]);
  await clock.advance(0.2 * 600_000 + 60_000);
  expect(queue.sent).toMatchObject([
    { request: { ...web, reason: "resync" }, cause: expect.stringMatching(/^unique /) },
  ]);
  await stop();
});

test("a resync is not put off by a new leader, and not made twice while its run is awaited", async () => {
  const { clock, queue, start, stop } = await watching({ resyncSeconds: 600 });
  await clock.advance(300_000);
  await stop();
  const second = await start();
  await clock.advance(0.6 * 600_000 + 30_000);
  expect(queue.queued).toEqual(["a/web resync"]);
  await second.stop();
});

test("objects made together are resynced apart, and those that ran meanwhile later", async () => {
  const { clock, cluster, queue, ran, stop } = await watching({ resyncSeconds: 600 });
  for (let count = 0; count < 20; count += 1) {
    cluster.apply(widget(`w${count}`));
    await ran({ namespace: "a", name: `w${count}` });
  }
  await clock.advance(1_000);
  queue.drain();
  await clock.advance(600_000);
  const half = new Set(queue.drain()).size;
  expect(half).toBeGreaterThan(3);
  expect(half).toBeLessThan(18);
  await stop();
});

test("a run that was live when a resync looked is as good as the one that it asks for", async () => {
  const { clock, queue, store, key, running, patch, stop } = await watching({ resyncSeconds: 600 });
  await clock.advance(500_000);
  await running(web, clock.nowMs() + 900_000);
  await clock.advance(200_000);
  const { runId: _, ...ended } = store.record(key(web)) ?? NO_RECORD;
  store.put(key(web), ended);
  patch(web, { finishedAt: clock.nowMs() });
  await clock.advance(10_000);
  expect(queue.sent).toEqual([]);
  await stop();
});

test("records of objects that are gone are not resynced", async () => {
  const { clock, queue, cluster, ran, stop } = await watching({ resyncSeconds: 60 });
  cluster.delete(Widget, web);
  await clock.advance(200);
  await ran(web, { outcome: "gone" });
  queue.drain();
  await clock.advance(300_000);
  expect(queue.sent).toEqual([]);
  await stop();
});

test("timers of all shards fire", async () => {
  const { clock, queue, key, patch, stop } = await watching();
  const names = Array.from({ length: 200 }, (_, number) => `w${number}`);
  const shards = new Set(names.map((name) => shardOf(key({ namespace: "a", name }))));
  expect(shards.size).toBe(SHARD_COUNT);
  const dueAt = clock.nowMs() + 1_000;
  for (const name of names) patch({ namespace: "a", name }, { epoch: 1, dueAt });
  await clock.advance(5_000);
  expect(queue.drain()).toHaveLength(names.length);
  await stop();
});
