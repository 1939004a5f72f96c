import { expect, test } from "@jest/globals";
import { defineController } from "../../shared/api/controller.ts";
import { ConfigMap, Namespace, Secret } from "../../shared/api/kinds.ts";
import {
  type Change,
  changed,
  generationChanged,
  inNamespaces,
  labelsChanged,
  predicate,
} from "../../shared/api/predicate.ts";
import { own, watch } from "../../shared/api/source.ts";
import { configMap, Farm, ownedBy, Widget, widget } from "../support/watcher-objects.ts";
import { watching } from "../support/watcher-requests.ts";
import { watcherStage } from "../support/watcher-stage.ts";

const usedBy = watch(ConfigMap, { usedBy: (object: Widget) => object.spec?.uses });
const web = { namespace: "a", name: "web" };
const finalizers = ["test.example.com/f"];

test("a change that the predicate does not pass requests nothing", async () => {
  const { cluster, requested, stop } = await watching({ predicate: generationChanged });
  expect(await requested(() => cluster.apply(widget("web")))).toEqual(["a/web"]);
  expect(
    await requested(() => cluster.apply({ ...widget("web"), status: { ready: true } })),
  ).toEqual([]);
  expect(await requested(() => cluster.apply(widget("web", { size: 2 })))).toEqual(["a/web"]);
  await stop();
});

test("B27: marking for deletion, changes while terminating, and the end of it always pass", async () => {
  const never = () => false;
  const { cluster, requested, stop } = await watching({ predicate: never, eventFilter: never });
  const more = { finalizers: [...finalizers, "other.example.com/g"] };
  expect(await requested(() => cluster.apply(widget("web", {}, more)))).toEqual([]);
  expect(await requested(() => cluster.delete(Widget, web))).toEqual(["a/web"]);
  const without = (kept: readonly string[]) =>
    cluster.update(Widget, web, (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: kept },
    }));
  expect(await requested(() => without(finalizers))).toEqual(["a/web"]);
  expect(await requested(() => without([]))).toEqual(["a/web"]);
  await stop();
});

test("objects outside a scope never pass, not even while they terminate", async () => {
  const { cluster, requested, stop } = await watching({ eventFilter: inNamespaces("b") });
  const elsewhere = widget("web", {}, { finalizers });
  expect(await requested(() => cluster.apply(elsewhere))).toEqual([]);
  expect(await requested(() => cluster.delete(Widget, web))).toEqual([]);
  const inside = widget("web", {}, { finalizers, namespace: "b" });
  expect(await requested(() => cluster.apply(inside))).toEqual(["b/web"]);
  expect(await requested(() => cluster.delete(Widget, { ...web, namespace: "b" }))).toEqual([
    "b/web",
  ]);
  await stop();
});

test("B30: a deletion that a new list finds is told with a flag", async () => {
  const asked: unknown[] = [];
  const { cluster, clock, stop } = await watching({
    predicate: ({ type, finalStateUnknown }: Change) => asked.push([type, finalStateUnknown]) > 0,
  });
  cluster.apply(widget("b"));
  await clock.advance(200);
  cluster.fault((request) => (request.query?.watch ? new Error("no network") : undefined));
  cluster.dropWatches();
  cluster.delete(Widget, { namespace: "a", name: "b" });
  cluster.compact({ as: "status" });
  cluster.fault(() => undefined);
  await clock.advance(60_000);
  expect(asked).toEqual([
    ["added", undefined],
    ["deleted", true],
  ]);
  await stop();
});

test("B27: kinds without a generation pass with every change", async () => {
  const { cluster, requested, stop } = await watching({
    owns: [own(ConfigMap, { predicate: generationChanged })],
  });
  const owner = cluster.apply<Widget>(widget("web"));
  const child = (data: string) => cluster.apply(configMap("child", { data }, ownedBy(owner)));
  await requested(() => child("1"));
  expect(await requested(() => child("2"))).toEqual(["a/web"]);
  await stop();
});

test("B30: a predicate that throws lets the change pass, and is logged once with the object", async () => {
  const { cluster, requested, log, metrics, stop } = await watching({
    predicate: ({ object }: { object: Widget }) => (object.status as { ready: boolean }).ready,
  });
  expect(await requested(() => cluster.apply(widget("web")))).toEqual(["a/web"]);
  expect(await requested(() => cluster.delete(Widget, web))).toEqual(["a/web"]);
  const errors = log.filter(({ level }) => level === "error");
  expect(errors).toMatchObject([
    { fields: { controller: "widgets", part: "predicate", namespace: "a", name: "web" } },
  ]);
  expect(metrics.of("DefinitionErrors", { controller: "widgets", part: "predicate" })).toEqual([2]);
  await stop();
});

test("B30: a projection that throws makes every change pass", async () => {
  const { cluster, requested, stop } = await watching({
    predicate: changed((object: Widget) => (object.status as { ready: boolean }).ready),
  });
  expect(await requested(() => cluster.apply(widget("web")))).toEqual(["a/web"]);
  expect(await requested(() => cluster.apply(widget("web", { size: 2 })))).toEqual(["a/web"]);
  expect(await requested(() => cluster.delete(Widget, web))).toEqual(["a/web"]);
  await stop();
});

test("B07, B30: a deletion that a new list finds is asked with the last known state", async () => {
  const asked: unknown[] = [];
  const { cluster, clock, queue, requested, stop } = await watching({
    predicate: predicate({
      keeps: (object: Widget) => object.spec?.size ?? 0,
      passes: (now, before) => asked.push([now, before]) > 0,
    }),
  });
  for (const name of ["b", "c", "d"]) cluster.apply(widget(name));
  await clock.advance(200);
  queue.drain();
  cluster.fault((request) => (request.query?.watch ? new Error("no network") : undefined));
  cluster.dropWatches();
  cluster.delete(Widget, { namespace: "a", name: "b" });
  cluster.apply(widget("c", { size: 3 }));
  cluster.compact({ as: "status" });
  asked.length = 0;
  cluster.fault(() => undefined);
  await clock.advance(60_000);
  expect(asked).toEqual([
    [1, undefined],
    [3, 1],
  ]);
  expect(await requested(() => {})).toEqual(["a/b", "a/c"]);
  await stop();
});

test("a predicate over whole objects gets the object before and after", async () => {
  const asked: unknown[] = [];
  const { cluster, requested, stop } = await watching({
    predicate: ({ type, object, before }: { type: string; object: Widget; before?: Widget }) => {
      asked.push([type, object.spec?.size, before?.spec?.size]);
      return true;
    },
  });
  await requested(() => cluster.apply(widget("web")));
  await requested(() => cluster.apply(widget("web", { size: 2 })));
  await requested(() => cluster.delete(Widget, web));
  expect(asked).toEqual([
    ["added", 1, undefined],
    ["modified", 2, 1],
    ["deleted", 2, undefined],
  ]);
  await stop();
});

test("inNamespaces as event filter drops other namespaces, and never cluster-scoped objects", async () => {
  const { cluster, requested, stop } = await watching({
    eventFilter: inNamespaces(/^a/),
    watches: [
      watch(Namespace, { keys: ({ metadata }) => [{ namespace: metadata.name, name: "all" }] }),
    ],
  });
  const elsewhere = widget("web", {}, { namespace: "b" });
  expect(await requested(() => cluster.apply(elsewhere))).toEqual([]);
  expect(await requested(() => cluster.apply(widget("web")))).toEqual(["a/web"]);
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "x" } };
  expect(await requested(() => cluster.apply(namespace))).toEqual(["x/all"]);
  await stop();
});

test("namespaces make one list a namespace, and drop keys elsewhere", async () => {
  const { cluster, requested, stop } = await watching({
    namespaces: ["a", "b"],
    watches: [
      watch(Namespace, { keys: ({ metadata }) => [{ namespace: metadata.name, name: "all" }] }),
    ],
  });
  const paths = new Set(cluster.requests.map(({ path }) => path));
  expect([...paths].filter((path) => path.endsWith("/widgets"))).toEqual([
    "/apis/test.example.com/v1/namespaces/a/widgets",
    "/apis/test.example.com/v1/namespaces/b/widgets",
  ]);
  expect(await requested(() => cluster.apply(widget("web", {}, { namespace: "c" })))).toEqual([]);
  const namespace = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  expect(await requested(() => cluster.apply(namespace("c")))).toEqual([]);
  expect(await requested(() => cluster.apply(namespace("b")))).toEqual(["b/all"]);
  await stop();
});

test("B57: an object that leaves the selection is requested once, and children of others not at all", async () => {
  const { cluster, requested, stop } = await watching({
    labels: { app: "demo" },
    owns: [ConfigMap],
  });
  const labels = { app: "demo" };
  expect(await requested(() => cluster.apply(widget("web", {}, { labels })))).toEqual(["a/web"]);
  const other = cluster.apply<Widget>(widget("other"));
  expect(await requested(() => {})).toEqual([]);
  expect(await requested(() => cluster.apply(configMap("child", {}, ownedBy(other))))).toEqual([]);
  const lists = cluster.requests.filter(({ path }) => path.endsWith("/widgets"));
  expect(new Set(lists.map(({ query }) => query?.labelSelector))).toEqual(new Set(["app=demo"]));
  const moved = widget("web", {}, { labels: { app: "else" } });
  expect(await requested(() => cluster.apply(moved))).toEqual(["a/web"]);
  expect(await requested(() => cluster.apply(widget("web", { size: 9 })))).toEqual([]);
  await stop();
});

test("metadata is enough for sources that compare metadata only", async () => {
  const { cluster, stop } = await watching({
    predicate: labelsChanged,
    owns: [ConfigMap, own(Secret, { predicate: changed((secret) => secret.data) })],
  });
  const accept = (end: string) =>
    cluster.requests.find(({ path }) => path.endsWith(end))?.accept ?? "";
  expect(accept("/widgets")).toContain("PartialObjectMetadata");
  expect(accept("/configmaps")).toContain("PartialObjectMetadata");
  expect(accept("/secrets")).toBe("application/json");
  await stop();
});

test("B33: a kind that is missing or forbidden holds up no other, is named, and starts when it comes", async () => {
  const controller = defineController({
    name: "farms",
    for: Farm,
    watches: [
      watch(Widget, { keys: ({ metadata }) => [{ namespace: "", name: metadata.name }] }),
      watch(Secret, { keys: () => [] }),
    ],
  });
  const made = watcherStage(controller);
  made.cluster.serve(Farm);
  const forbidden = {
    status: 403,
    headers: {},
    body: { kind: "Status", reason: "Forbidden", message: "no" },
  };
  made.cluster.fault(({ path }) => (path.endsWith("/secrets") ? forbidden : undefined));
  const { watcher, stop } = await made.start();
  const farm = { apiVersion: "test.example.com/v1", kind: "Farm", metadata: { name: "north" } };
  made.cluster.apply(farm);
  await made.clock.advance(200);
  expect(made.queue.drain()).toEqual(["/north change"]);
  expect(watcher.health()).toMatchObject({
    ready: true,
    live: true,
    sources: [
      { name: "farms.test.example.com", state: "synced" },
      {
        name: "widgets.test.example.com",
        state: "unavailable",
        reason: expect.stringMatching(/^404/),
      },
      { name: "secrets", state: "unavailable", reason: expect.stringMatching(/^403.*list/) },
    ],
  });
  await made.clock.advance(180_000);
  const warned = made.log.filter(({ level }) => level === "warn" || level === "error");
  expect(warned).toHaveLength(2);

  made.cluster.serve(Widget);
  made.cluster.apply(widget("south"));
  await made.clock.advance(90_000);
  expect(made.queue.drain()).toEqual(["/south backfill"]);
  made.cluster.apply(widget("east"));
  await made.clock.advance(200);
  expect(made.queue.drain()).toEqual(["/east change"]);
  await stop();
});

test("nothing is mapped before every source has synced", async () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const { cluster, clock, queue, watcher, stop } = await watching({ watches: [usedBy] }, (made) => {
    made.cluster.fault(async ({ path }) => {
      if (path.endsWith("/configmaps")) await opened;
      return undefined;
    });
  });
  cluster.apply(widget("web", { uses: ["x"] }));
  await clock.advance(10_000);
  expect(queue.sent).toEqual([]);
  expect(watcher.health()).toMatchObject({ ready: false });
  open();
  await clock.advance(2_000);
  expect(queue.drain()).toEqual(["a/web backfill"]);
  await stop();
});

test("an optional kind that is not served is no warning, and starts when it comes", async () => {
  const controller = defineController({
    name: "farms",
    for: Farm,
    watches: [
      watch(Widget, {
        optional: true,
        keys: ({ metadata }) => [{ namespace: "", name: metadata.name }],
      }),
    ],
  });
  const made = watcherStage(controller);
  made.cluster.serve(Farm);
  const { watcher, stop } = await made.start();
  await made.clock.advance(600_000);
  expect(watcher.health().sources).toMatchObject([{ state: "synced" }, { state: "absent" }]);
  const about = made.log.filter(({ fields }) => String(fields?.source).startsWith("widgets"));
  expect(about.map(({ level }) => level)).not.toContain("warn");
  expect(about.filter(({ level }) => level === "info")).toHaveLength(1);
  made.cluster.serve(Widget);
  made.cluster.apply(widget("north"));
  await made.clock.advance(60_000);
  expect(watcher.health().sources).toMatchObject([{ state: "synced" }, { state: "synced" }]);
  expect(made.queue.drain()).toEqual(["/north backfill"]);
  await stop();
});

test("B33: two controllers of one name, or one without a queue, are refused at once", () => {
  const one = defineController({ name: "one", for: Widget as never });
  const made = watcherStage(one, one);
  return Promise.all([
    expect(made.start()).rejects.toThrow('expected controllers of different names, got two "one"'),
    expect(watcherStage(one).start({ queues: new Map() })).rejects.toThrow(
      "cannot watch for controller one: expected a queue for it, got none",
    ),
  ]);
});
