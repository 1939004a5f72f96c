import { expect, test } from "@jest/globals";
import { type ControllerOptions, defineController } from "../../shared/api/controller.ts";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { changed, generationChanged, inNamespaces } from "../../shared/api/predicate.ts";
import { own, watch } from "../../shared/api/source.ts";
import { NO_RECORD } from "../../shared/queue/record.ts";
import { configMap, ownedBy, Widget, widget } from "../support/watcher-objects.ts";
import { REVISION, type WatcherStage, watcherStage } from "../support/watcher-stage.ts";

type Options = Partial<ControllerOptions<Widget, [], [], undefined, []>>;

const web = { namespace: "a", name: "web" };
const child = { namespace: "a", name: "child" };

/** Widget "web" with config map "child"; both were read by a run that ended well. Nobody watches yet. */
async function reconciled(options: object = {}) {
  const made = watcherStage(
    defineController({
      name: "widgets",
      for: Widget,
      predicate: generationChanged,
      owns: [own(ConfigMap, { predicate: changed((map) => map.data) })],
      ...(options as Options),
    }),
  );
  made.cluster.serve(Widget);
  const owner = made.cluster.apply<Widget>(widget("web"));
  made.cluster.apply(configMap("child", { a: "1" }, ownedBy(owner)));
  const run = () =>
    made.ran(web, {
      reads: [
        [Widget, web],
        [ConfigMap, child],
      ],
    });
  await run();
  return { ...made, owner, run };
}

/** What a start requests within a few seconds. */
async function requestedAtStart(stage: Pick<WatcherStage, "start" | "queue" | "clock">) {
  const { stop } = await stage.start();
  await stage.clock.advance(5_000);
  await stop();
  return [...stage.queue.drain()].sort();
}

test("a restart requests nothing where nothing changed", async () => {
  const stage = await reconciled();
  stage.cluster.apply({ ...widget("web"), status: { ready: true } });
  expect(await requestedAtStart(stage)).toEqual([]);
});

test("a child that was deleted while nobody watched wakes its owner", async () => {
  const stage = await reconciled();
  stage.cluster.delete(ConfigMap, child);
  expect(await requestedAtStart(stage)).toEqual(["a/web backfill"]);
});

test("a child that changed, or that no run has seen, wakes its owner", async () => {
  const stage = await reconciled();
  stage.cluster.apply(configMap("child", { a: "2" }, ownedBy(stage.owner)));
  expect(await requestedAtStart(stage)).toEqual(["a/web backfill"]);
  await stage.run();
  stage.cluster.apply(configMap("more", {}, ownedBy(stage.owner)));
  expect(await requestedAtStart(stage)).toEqual(["a/web backfill"]);
});

test("an object that changed, is new, or is gone is requested", async () => {
  const stage = await reconciled();
  stage.cluster.apply(widget("web", { size: 2 }));
  stage.cluster.apply(widget("new"));
  stage.cluster.apply(widget("gone"));
  await stage.ran({ namespace: "a", name: "gone" });
  stage.cluster.delete(Widget, { namespace: "a", name: "gone" });
  expect(await requestedAtStart(stage)).toEqual([
    "a/gone backfill",
    "a/new backfill",
    "a/web backfill",
  ]);
});

test("an object that is there again is requested, though its last run found it gone", async () => {
  const stage = await reconciled();
  for (const outcome of ["gone", "released"] as const) {
    await stage.ran(web, { outcome });
    expect(await requestedAtStart(stage)).toEqual(["a/web backfill"]);
  }
});

test("S2: an object marked for deletion is requested, though the last run saw it so", async () => {
  const stage = await reconciled();
  stage.cluster.apply(widget("web", { size: 1 }, { finalizers: ["example.com/held"] }));
  stage.cluster.delete(Widget, web);
  await stage.run();
  expect(await requestedAtStart(stage)).toEqual(["a/web backfill"]);
});

test("S8: records of objects that are known to be gone or released are left alone", async () => {
  const stage = await reconciled();
  await stage.ran({ namespace: "a", name: "gone" }, { outcome: "gone" });
  await stage.ran({ namespace: "a", name: "released" }, { outcome: "released" });
  stage.cluster.apply(
    configMap("orphan", {}, ownedBy(stage.owner, { name: "gone", uid: "former" })),
  );
  expect(await requestedAtStart(stage)).toEqual([]);
});

test("an object that came and went while a run had its key is requested when that run ends", async () => {
  const stage = await reconciled();
  const late = { namespace: "a", name: "late" };
  const seen = { namespace: "a", name: "seen" };
  const dead = { namespace: "a", name: "dead" };
  for (const named of [late, seen, dead]) {
    await stage.ran(named, { outcome: "gone" });
    await stage.running(named, stage.clock.nowMs() + (named === dead ? 0 : 60_000));
  }
  const { stop } = await stage.start();
  await stage.clock.advance(5_000);
  expect(stage.queue.drain()).toEqual(["a/dead backfill"]);
  for (const [named, outcome] of [
    [late, "success"],
    [seen, "gone"],
  ] as const) {
    const { runId: _, ...ended } = stage.store.record(stage.key(named)) ?? NO_RECORD;
    stage.store.put(stage.key(named), { ...ended, outcome });
  }
  await stage.clock.advance(2_000);
  expect(stage.queue.drain()).toEqual(["a/late backfill"]);
  await stop();
});

test("onStart all requests a key whose run was live, though that run saw all there is", async () => {
  const stage = await reconciled({ onStart: "all" });
  await stage.running(web);
  const { stop } = await stage.start();
  await stage.clock.advance(5_000);
  expect(stage.queue.drain()).toEqual([]);
  const { runId: _, ...ended } = stage.store.record(stage.key(web)) ?? NO_RECORD;
  stage.store.put(stage.key(web), ended);
  await stage.clock.advance(5_000);
  expect(stage.queue.drain()).toEqual(["a/web backfill"]);
  await stop();
});

test("a failed run without a retry on its way is requested, one with a timer is not", async () => {
  const stage = await reconciled();
  const reads = [
    [Widget, web],
    [ConfigMap, child],
  ] as const;
  await stage.ran(web, { outcome: "error", reads, dueAt: stage.clock.nowMs() + 900_000 });
  expect(await requestedAtStart(stage)).toEqual([]);
  await stage.ran(web, { outcome: "error", reads });
  expect(await requestedAtStart(stage)).toEqual(["a/web backfill"]);
});

test("what a run read beside the objects that map to it needs only stand unchanged", async () => {
  const stage = await reconciled({
    watches: [watch(ConfigMap, { full: true, keys: () => [] })],
    owns: [],
  });
  const other = { namespace: "a", name: "other" };
  stage.cluster.apply(configMap("other"));
  await stage.ran(web, {
    reads: [
      [Widget, web],
      [ConfigMap, other],
    ],
  });
  expect(await requestedAtStart(stage)).toEqual([]);
  stage.cluster.apply(configMap("other", { a: "2" }));
  expect(await requestedAtStart(stage)).toEqual(["a/web backfill"]);
});

test("objects that the event filter drops are not requested at a start either", async () => {
  const stage = await reconciled({ eventFilter: inNamespaces("a") });
  stage.cluster.apply(widget("web", { size: 2 }, { namespace: "b" }));
  stage.cluster.apply(widget("known", { size: 2 }, { namespace: "b" }));
  await stage.ran({ namespace: "b", name: "known" });
  stage.cluster.apply(widget("known", { size: 3 }, { namespace: "b" }));
  stage.cluster.apply(widget("new"));
  expect(await requestedAtStart(stage)).toEqual(["a/new backfill"]);
});

test("S6: what a source that has not synced would show is left out until it syncs", async () => {
  const stage = await reconciled();
  stage.cluster.delete(ConfigMap, child);
  const forbidden = { status: 403, headers: {}, body: { kind: "Status", reason: "Forbidden" } };
  stage.cluster.fault(({ path }) => (path.endsWith("/configmaps") ? forbidden : undefined));
  const { stop } = await stage.start();
  await stage.clock.advance(20_000);
  expect(stage.queue.drain()).toEqual([]);
  stage.cluster.fault(() => undefined);
  await stage.clock.advance(90_000);
  expect(stage.queue.drain()).toEqual(["a/web backfill"]);
  await stop();
});

test("an object that is gone is requested, though another source cannot be listed", async () => {
  const stage = await reconciled();
  stage.cluster.delete(Widget, web);
  const forbidden = { status: 403, headers: {}, body: { kind: "Status", reason: "Forbidden" } };
  stage.cluster.fault(({ path }) => (path.endsWith("/configmaps") ? forbidden : undefined));
  const { stop } = await stage.start();
  await stage.clock.advance(20_000);
  expect(stage.queue.drain()).toEqual(["a/web backfill"]);
  await stop();
});

test("nothing is judged gone while the objects of `for` cannot be listed", async () => {
  const stage = await reconciled({ owns: [] });
  stage.cluster.unserve(Widget);
  expect(await requestedAtStart(stage)).toEqual([]);
  stage.cluster.serve(Widget);
  expect(await requestedAtStart(stage)).toEqual(["a/web backfill"]);
});

test("a run that is live at the start is judged when it has ended", async () => {
  const stage = await reconciled();
  await stage.running(web);
  const { stop } = await stage.start();
  await stage.clock.advance(5_000);
  expect(stage.queue.drain()).toEqual([]);
  const record = stage.store.record(stage.key(web));
  await stage.store.end(stage.key(web), {
    epoch: record?.epoch ?? 0,
    outcome: "success",
    failures: 0,
    finishedAt: stage.clock.nowMs(),
    revision: REVISION,
    ...(record?.seen && { seen: record.seen }),
  });
  await stage.clock.advance(2_000);
  expect(stage.queue.drain()).toEqual([]);
  await stop();
});

test("a live change that joins a key found by the backfill does not hide what was found", async () => {
  const stage = await reconciled();
  stage.cluster.delete(ConfigMap, child);
  await stage.running(web); // Holds the key.
  const { stop } = await stage.start();
  stage.cluster.apply(widget("web", { size: 2 }));
  await stage.clock.advance(100);
  // The run ends; it read the change, but the child was there when it looked.
  const record = stage.store.record(stage.key(web));
  stage.cluster.apply(configMap("child", { a: "1" }));
  stage.cluster.delete(ConfigMap, child);
  await stage.store.end(stage.key(web), {
    epoch: record?.epoch ?? 0,
    outcome: "success",
    failures: 0,
    finishedAt: stage.clock.nowMs(),
    revision: REVISION,
  });
  await stage.clock.advance(2_000);
  expect(stage.queue.queued).toHaveLength(1);
  await stop();
});

test("a table that cannot be read delays the backfill, with one line in the log", async () => {
  const stage = await reconciled();
  stage.cluster.delete(ConfigMap, child);
  stage.store.failNext("list", { times: 100 });
  const { stop } = await stage.start();
  await stage.clock.advance(60_000);
  expect(stage.queue.drain()).toEqual([]);
  const failures = () => stage.log.filter(({ fields }) => fields.what === "backfill of widgets");
  expect(failures()).toMatchObject([{ level: "error" }]);
  stage.store.failNext("list", { times: 0 });
  await stage.clock.advance(5_000);
  expect(stage.queue.drain()).toEqual(["a/web backfill"]);
  expect(failures()).toMatchObject([{ level: "error" }, { level: "info" }]);
  await stop();
});

test("the first 1,000 changed keys go like live changes, the others are slowed", async () => {
  const stage = await reconciled({ maxConcurrentReconciles: 20 });
  for (let count = 0; count < 1_100; count += 1) stage.cluster.apply(widget(`new-${count}`));
  const { stop } = await stage.start();
  expect(stage.queue.sent.length).toBeGreaterThanOrEqual(1_000);
  expect(stage.queue.sent.length).toBeLessThanOrEqual(1_050);
  await stage.clock.advance(12_000);
  expect(stage.queue.sent).toHaveLength(1_100);
  await stop();
});

test('onStart "all" requests every key once, slowed, and not by later passes', async () => {
  const stage = await reconciled({ onStart: "all" });
  const { stop } = await stage.start();
  await stage.clock.advance(5_000);
  expect(stage.queue.drain()).toEqual(["a/web backfill"]);
  await stage.run();
  await stage.clock.advance(1_200_000);
  expect(stage.queue.drain()).toEqual([]);
  await stop();
});

test("a key that runs while its request waits to be sent needs none any more", async () => {
  const stage = await reconciled({ onStart: "all", maxConcurrentReconciles: 2 });
  const names = Array.from({ length: 40 }, (_, number) => `w${number}`);
  for (const name of names) stage.cluster.apply(widget(name));
  for (const name of names) await stage.ran({ namespace: "a", name });
  const { stop } = await stage.start();
  for (const name of names) await stage.ran({ namespace: "a", name });
  const before = stage.queue.sent.length;
  await stage.clock.advance(120_000);
  expect(stage.queue.sent.length - before).toBeLessThan(5);
  await stop();
});
