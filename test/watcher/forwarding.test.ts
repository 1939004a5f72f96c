import { expect, test } from "@jest/globals";
import { defineController } from "../../shared/api/controller.ts";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { changed, generationChanged } from "../../shared/api/predicate.ts";
import { own, watch } from "../../shared/api/source.ts";
import { configMap, ownedBy, Widget, widget } from "../support/watcher-objects.ts";
import { watcherStage } from "../support/watcher-stage.ts";

const controller = defineController({
  name: "widgets",
  for: Widget,
  predicate: generationChanged,
  owns: [own(ConfigMap, { predicate: changed((map) => map.data) })],
});
const web = { namespace: "a", name: "web" };

function stage() {
  const made = watcherStage(controller);
  made.cluster.serve(Widget);
  return made;
}

/** A widget with a config map, both read by a run that ended well. */
async function settledStage() {
  const made = stage();
  const owner = made.cluster.apply<Widget>(widget("web"));
  made.cluster.apply(configMap("child", { a: "1" }, ownedBy(owner)));
  await made.ran(web, {
    reads: [
      [Widget, web],
      [ConfigMap, { namespace: "a", name: "child" }],
    ],
  });
  const running = await made.start();
  expect(made.queue.sent).toEqual([]);
  return { ...made, ...running };
}

test("a new object is requested with epoch 0 after the linger", async () => {
  const { cluster, clock, queue, start } = stage();
  const { stop } = await start();

  cluster.apply(widget("web"));
  await clock.advance(49);
  expect(queue.sent).toEqual([]);
  await clock.advance(10);
  expect(queue.sent).toMatchObject([
    {
      request: { cluster: "test", controller: "widgets", ...web, reason: "change" },
      cause: "epoch 0",
    },
  ]);
  expect(queue.sent[0]?.request.changedAtMs).toBe(clock.nowMs() - 59);
  await stop();
});

test("a hundred keys do not wait for the linger", async () => {
  const { cluster, clock, queue, start } = stage();
  const { stop } = await start();

  for (let count = 0; count < 100; count += 1) cluster.apply(widget(`web-${count}`));
  await clock.advance(1);
  expect(queue.sent).toHaveLength(100);
  await stop();
});

test.each([5, 299, 301])("B02: a change %i s after a run is requested again", async (seconds) => {
  const { cluster, clock, queue, start, ran } = stage();
  const { stop } = await start();
  cluster.apply(widget("web"));
  await clock.advance(100);
  await ran(web);
  expect(queue.drain()).toEqual(["a/web change"]);

  await clock.advance(seconds * 1_000);
  cluster.apply(widget("web", { size: 2 }));
  await clock.advance(100);
  expect(queue.drain()).toEqual(["a/web change"]);
  await stop();
});

test("many changes before a run make one message", async () => {
  const { cluster, clock, queue, start } = stage();
  const { stop } = await start();
  for (let size = 2; size < 12; size += 1) {
    cluster.apply(widget("web", { size }));
    await clock.advance(200);
  }
  expect(queue.sent).toHaveLength(10);
  expect(queue.queued).toEqual(["a/web change"]);
  await stop();
});

test("a change that the last run saw is dropped", async () => {
  const { cluster, clock, queue, metrics, ran, stop } = await settledStage();
  cluster.apply(widget("web", { size: 2 }));
  // The run was there before the watcher forwarded.
  await ran(web);
  await clock.advance(100);
  expect(queue.sent).toEqual([]);
  expect(metrics.of("RequestsCovered", { controller: "widgets" })).toEqual([1]);
  await stop();
});

test("a change that a failed run saw is dropped while its retry is on its way, and only then", async () => {
  const { cluster, clock, queue, ran, patch, stop } = await settledStage();
  cluster.apply(widget("web", { size: 2 }));
  await ran(web, { outcome: "error", dueAt: clock.nowMs() + 500_000 });
  await clock.advance(100);
  expect(queue.drain()).toEqual([]);

  cluster.apply(widget("web", { size: 3 }));
  await ran(web, { outcome: "error" });
  patch(web, { failures: 1 });
  await clock.advance(100);
  expect(queue.drain()).toEqual(["a/web change"]);
  await stop();
});

test("a run of another revision covers nothing", async () => {
  const { cluster, clock, queue, ran, stop } = await settledStage();
  cluster.apply(widget("web", { size: 2 }));
  await ran(web, { revision: "r0" });
  await clock.advance(100);
  expect(queue.drain()).toEqual(["a/web change"]);
  await stop();
});

test("nothing is covered while nobody knows the revision", async () => {
  const { cluster, clock, queue, ran, start } = stage();
  const { stop } = await start({ revisions: new Map() });
  cluster.apply(widget("web"));
  await ran(web);
  await clock.advance(100);
  expect(queue.drain()).toEqual(["a/web change"]);
  await stop();
});

test("S2: an object marked for deletion is never covered", async () => {
  const { cluster, clock, queue, ran, stop } = await settledStage();
  cluster.apply(widget("web", { size: 1 }, { finalizers: ["test.example.com/f"] }));
  await clock.advance(100);
  queue.drain();
  cluster.delete(Widget, web);
  await ran(web);
  await clock.advance(100);
  expect(queue.drain()).toEqual(["a/web change"]);
  await stop();
});

test("a deletion is never covered, though the last run saw exactly the last state", async () => {
  const { cluster, clock, queue, stop } = await settledStage();
  cluster.delete(ConfigMap, { namespace: "a", name: "child" });
  await clock.advance(100);
  expect(queue.drain()).toEqual(["a/web change"]);
  await stop();
});

test("an entry holds every object that changed: one that is covered hides none that is not", async () => {
  const { cluster, clock, queue, ran, stop } = await settledStage();
  const child = { namespace: "a", name: "child" };
  cluster.update(ConfigMap, child, (map) => ({ ...map, data: { a: "2" } }));
  cluster.apply(widget("web", { size: 2 }));
  await ran(web); // Reads the widget alone.
  await clock.advance(100);
  expect(queue.drain()).toEqual(["a/web change"]);
  await stop();
});

test("a key waits while its run is live, and its run's own writes are then told apart", async () => {
  const { cluster, clock, queue, store, key, running, patch, stop } = await settledStage();
  await running(web);
  cluster.apply(widget("web", { size: 2 }));
  await clock.advance(5_000);
  expect(queue.sent).toEqual([]);

  const { runId: _, ...ended } = store.record(key(web)) ?? { epoch: 0, failures: 0 };
  store.put(key(web), ended);
  patch(web, { outcome: "conflict" });
  await clock.advance(1_000);
  expect(queue.drain()).toEqual(["a/web change"]);
  await stop();
});

test("a held key is looked at after 100 ms, doubling up to a second", async () => {
  const { cluster, clock, running, metrics, stop } = await settledStage();
  await running(web);
  cluster.apply(widget("web", { size: 2 }));
  const held = () => metrics.of("RequestsHeld", { controller: "widgets" })[0] ?? 0;
  const looks: number[] = [];
  for (let atMs = 0; atMs < 4_000; atMs += 50) {
    const before = held();
    await clock.advance(50);
    if (held() > before) looks.push(atMs + 50);
  }
  expect(looks).toEqual([50, 150, 350, 750, 1_550, 2_550, 3_550]);
  await stop();
});

test("S1: an expired lock is not waited for, and covers nothing", async () => {
  const { cluster, clock, queue, running, patch, stop } = await settledStage();
  await running(web, clock.nowMs() + 1_000);
  patch(web, { outcome: "success" });
  await clock.advance(2_000);
  cluster.apply(widget("web", { size: 2 }));
  await clock.advance(60);
  cluster.apply(widget("web", { size: 1 }));
  await clock.advance(60);
  expect(queue.sent).toHaveLength(2);
  await stop();
});

test("S3: a lock is judged by the server's clock, not by the machine's", async () => {
  const { cluster, clock, queue, running, start } = stage();
  const machine = clock.machine({ offsetMs: 120_000 });
  const { stop } = await start({ clock: machine, serverNowMs: clock.nowMs });
  await running(web);
  cluster.apply(widget("web", { size: 2 }));
  await clock.advance(5_000);
  expect(queue.sent).toEqual([]);
  await stop();
});

test("Q1: a change while the request is on its way makes another entry", async () => {
  const { cluster, clock, queue, ran, stop } = await settledStage();
  let release = () => {};
  queue.delay = () => new Promise((resolve) => (release = resolve));
  cluster.apply(widget("web", { size: 2 }));
  await clock.advance(100); // Read at epoch 1; the send hangs.
  await ran(web); // Epoch 2, reads size 2.
  cluster.apply(widget("web", { size: 3 }));
  await clock.advance(100);
  queue.delay = async () => {};
  release();
  await clock.advance(1_000);
  expect(queue.sent.map(({ cause }) => cause)).toEqual(["epoch 1", "epoch 2"]);
  await stop();
});

test("a key is never on its way twice at once", async () => {
  const { cluster, clock, queue, stop } = await settledStage();
  let sends = 0;
  queue.delay = () => {
    sends += 1;
    return new Promise(() => {});
  };
  for (let size = 2; size < 6; size += 1) {
    cluster.apply(widget("web", { size }));
    await clock.advance(200);
  }
  expect(sends).toBe(1);
  cluster.apply(widget("other"));
  await clock.advance(200);
  expect(sends).toBe(2); // B38: another object waits for nobody.
  await stop();
});

test("B09, B10: a request that is not accepted is kept and sent again, alone", async () => {
  const { cluster, clock, queue, log, stop } = await settledStage();
  queue.accepts = ({ name }) => !name.startsWith("bad");
  for (const name of ["bad-1", "good-1", "bad-2", "good-2"]) cluster.apply(widget(name));
  await clock.advance(100);
  expect(queue.drain()).toEqual(["a/good-1 change", "a/good-2 change"]);

  queue.accepts = ({ name }) => name !== "bad-1";
  await clock.advance(60_000);
  expect(queue.drain()).toEqual(["a/bad-2 change"]);
  expect(log.filter(({ level }) => level === "error")).toMatchObject([
    {
      message: expect.stringContaining("did not accept"),
      fields: { namespace: "a", name: "bad-1", keys: 2 },
    },
  ]);
  queue.accepts = () => true;
  await clock.advance(31_000);
  expect(queue.drain()).toEqual(["a/bad-1 change"]);
  await stop();
});

test("B09: what waits survives a watch that breaks off", async () => {
  const { cluster, clock, queue, stop } = await settledStage();
  queue.accepts = () => false;
  cluster.apply(widget("web", { size: 2 }));
  await clock.advance(200);
  cluster.dropWatches();
  await clock.advance(20_000);
  queue.accepts = () => true;
  await clock.advance(31_000);
  expect(queue.drain()).toEqual(["a/web change"]);
  await stop();
});

test("Q9: a record that cannot be read for a second makes one unique request a minute, and nothing is lost", async () => {
  const { cluster, clock, queue, store, key, metrics, stop } = await settledStage();
  store.leaveUnread(key(web));
  cluster.apply(widget("web", { size: 2 }));
  await clock.advance(1_000);
  expect(queue.sent).toEqual([]);
  await clock.advance(300);
  expect(queue.sent).toMatchObject([{ cause: expect.stringMatching(/^unique /) }]);
  expect(metrics.of("RequestsInDoubt", { controller: "widgets" })).toEqual([1]);

  for (let size = 3; size < 10; size += 1) {
    cluster.apply(widget("web", { size }));
    await clock.advance(5_000);
  }
  expect(queue.sent).toHaveLength(1);
  await clock.advance(30_000);
  expect(queue.sent).toHaveLength(2);

  cluster.apply(widget("web", { size: 20 }));
  await clock.advance(5_000);
  store.readAgain();
  await clock.advance(60_000);
  expect(queue.sent.map(({ cause }) => cause).slice(2)).toEqual(["epoch 1"]);
  await stop();
});

test("Q9: a key that was not read is not taken for one without a record", async () => {
  const { cluster, clock, queue, store, key, stop } = await settledStage();
  store.leaveUnread(key(web));
  cluster.apply(widget("web", { size: 2 }));
  cluster.apply(widget("new"));
  await clock.advance(400);
  store.readAgain();
  await clock.advance(400);
  expect(queue.sent.map(({ request, cause }) => `${request.name} ${cause}`).sort()).toEqual([
    "new epoch 0",
    "web epoch 1",
  ]);
  await stop();
});

test("Q9: a table that fails altogether only delays, until a request is sent in doubt", async () => {
  const { cluster, clock, queue, store, stop } = await settledStage();
  store.failNext("read", { times: 2 });
  cluster.apply(widget("web", { size: 2 }));
  await clock.advance(1_000);
  expect(queue.sent).toMatchObject([{ cause: "epoch 1" }]);
  queue.drain();

  store.failNext("read", { times: 1_000 });
  cluster.apply(widget("web", { size: 3 }));
  await clock.advance(2_000);
  expect(queue.sent).toMatchObject([{ cause: expect.stringMatching(/^unique /) }]);
  await stop();
});

test("step 5: a message that waits out a backoff is let go, after the send", async () => {
  const { cluster, clock, queue, patch, stop } = await settledStage();
  patch(web, { outcome: "error", failures: 3, retryHandle: "handle-1" });
  queue.accepts = () => false;
  cluster.apply(widget("web", { size: 2 }));
  await clock.advance(100);
  expect(queue.woken).toEqual([]);
  queue.accepts = () => true;
  await clock.advance(2_000);
  expect(queue.sent).toHaveLength(1);
  expect(queue.woken).toEqual(["handle-1"]);
  await stop();
});

test("B12: an object that was made again under its name is requested, as deleted and as new", async () => {
  const { cluster, clock, queue, ran, stop } = await settledStage();
  await ran(web);
  cluster.delete(Widget, web);
  cluster.apply(widget("web"));
  await clock.advance(100);
  expect(queue.drain()).toEqual(["a/web change"]);
  await stop();
});

test("two controllers share a reflector, and each gets its own requests", async () => {
  const whole = defineController({
    name: "whole",
    for: ConfigMap,
    watches: [
      watch(Widget, {
        full: true,
        keys: (object) => [{ namespace: "a", name: object.spec?.team ?? "" }],
      }),
    ],
  });
  const made = watcherStage(controller, whole);
  made.cluster.serve(Widget);
  const { stop } = await made.start();
  const lists = made.cluster.requests.filter(({ query }) => query?.watch === undefined);
  expect(lists.filter(({ path }) => path.endsWith("/widgets"))).toMatchObject([
    { accept: "application/json" },
  ]);
  made.cluster.apply(widget("web", { team: "red" }));
  await made.clock.advance(100);
  const sent = made.queue.sent.map(({ request }) => `${request.controller} ${request.name}`);
  expect(sent.sort()).toEqual(["whole red", "widgets web"]);
  await stop();
});
