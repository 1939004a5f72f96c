import { expect, test } from "@jest/globals";
import { defineController } from "../../shared/api/controller.ts";
import { ConfigMap, Secret } from "../../shared/api/kinds.ts";
import { changed, generationChanged, inNamespaces } from "../../shared/api/predicate.ts";
import { own, watch } from "../../shared/api/source.ts";
import { configMap, Farm, ownedBy, Widget, widget } from "../support/watcher-objects.ts";
import { watching } from "../support/watcher-requests.ts";
import { alwaysHeld, watcherStage } from "../support/watcher-stage.ts";

test("B29: the child of a cluster-scoped owner wakes the key without namespace", async () => {
  const farms = defineController({ name: "farms", for: Farm, owns: [ConfigMap] });
  const made = watcherStage(farms);
  made.cluster.serve(Farm);
  const { stop } = await made.start();
  const farm = made.cluster.apply<Farm>({
    apiVersion: "test.example.com/v1",
    kind: "Farm",
    metadata: { name: "north" },
  });
  await made.clock.advance(200);
  expect(made.queue.drain()).toEqual(["/north change"]);
  made.cluster.apply(configMap("child", {}, ownedBy(farm)));
  await made.clock.advance(200);
  expect(made.queue.sent.map(({ request }) => [request.namespace, request.name])).toEqual([
    ["", "north"],
  ]);
  await stop();
});

test("B29: owners are matched by group and kind, whatever the version", async () => {
  const { cluster, requested, stop } = await watching({ owns: [ConfigMap] });
  const owner = cluster.apply<Widget>(widget("web"));
  await requested(() => {});
  const child = (name: string, change: object) =>
    requested(() => cluster.apply(configMap(name, {}, ownedBy(owner, change))));
  expect(await child("c1", { apiVersion: "test.example.com/v1beta1" })).toEqual(["a/web"]);
  expect(await child("c2", { apiVersion: "other.example.com/v1" })).toEqual([]);
  expect(await child("c3", { kind: "Gadget" })).toEqual([]);
  expect(await child("c4", { controller: false })).toEqual([]);
  await stop();
});

test("anyOwner wakes owners that do not control", async () => {
  const { cluster, requested, stop } = await watching({
    owns: [own(ConfigMap, { anyOwner: true })],
  });
  const owner = cluster.apply<Widget>(widget("web"));
  await requested(() => {});
  const child = configMap("child", {}, ownedBy(owner, { controller: false }));
  expect(await requested(() => cluster.apply(child))).toEqual(["a/web"]);
  await stop();
});

test("a child that changes its owner wakes the old and the new one", async () => {
  const { cluster, requested, stop } = await watching({ owns: [ConfigMap] });
  const first = cluster.apply<Widget>(widget("first"));
  const second = cluster.apply<Widget>(widget("second"));
  cluster.apply(configMap("child", {}, ownedBy(first)));
  await requested(() => {});
  const moved = configMap("child", {}, ownedBy(second));
  expect(await requested(() => cluster.apply(moved))).toEqual(["a/first", "a/second"]);
  expect(
    await requested(() => cluster.delete(ConfigMap, { namespace: "a", name: "child" })),
  ).toEqual(["a/second"]);
  await stop();
});

const usedBy = watch(ConfigMap, { usedBy: (object: Widget) => object.spec?.uses });

test("usedBy wakes those that use an object now", async () => {
  const { cluster, requested, stop } = await watching({ watches: [usedBy] });
  await requested(() => {
    cluster.apply(widget("one", { uses: ["x", "y"] }));
    cluster.apply(widget("two", { uses: ["y"] }));
    cluster.apply(widget("three", { uses: ["y"] }, { namespace: "b" }));
  });
  expect(await requested(() => cluster.apply(configMap("y")))).toEqual(["a/one", "a/two"]);
  expect(await requested(() => cluster.apply(configMap("x")))).toEqual(["a/one"]);
  expect(await requested(() => cluster.apply(configMap("z")))).toEqual([]);
  await requested(() => cluster.apply(widget("one", { uses: ["z"] })));
  expect(await requested(() => cluster.apply(configMap("y", { a: "2" })))).toEqual(["a/two"]);
  expect(await requested(() => cluster.apply(configMap("z", { a: "2" })))).toEqual(["a/one"]);
  await requested(() => cluster.delete(Widget, { namespace: "a", name: "two" }));
  expect(await requested(() => cluster.delete(ConfigMap, { namespace: "a", name: "y" }))).toEqual(
    [],
  );
  await stop();
});

test("a change by which an object begins to use another is requested, even if a run saw it", async () => {
  const web = { namespace: "a", name: "web" };
  const { cluster, requested, clock, queue, ran, stop } = await watching({ watches: [usedBy] });
  const seen = () =>
    ran(web, {
      reads: [
        [Widget, web],
        [ConfigMap, { namespace: "a", name: "two" }],
      ],
    });
  await requested(() => {
    cluster.apply(widget("web", { uses: ["one"] }));
    cluster.apply(configMap("two"));
  });
  cluster.apply(widget("web", { uses: ["two"] }));
  // Another change woke a run, which saw this one before the watcher did. Had "two" changed since, no
  // key would have been found for that.
  await seen();
  await clock.advance(200);
  expect(queue.drain()).toEqual(["a/web change"]);
  cluster.apply(widget("web", { uses: ["two"], size: 2 }));
  await seen();
  await clock.advance(200);
  expect(queue.drain()).toEqual([]);
  await stop();
});

test("a change by which an object begins to use another passes whatever the predicate compares", async () => {
  const byLabel = watch(ConfigMap, {
    usedBy: ({ metadata }: Widget) => metadata.labels?.uses,
  });
  const { cluster, requested, stop } = await watching({
    predicate: generationChanged,
    watches: [byLabel],
  });
  const labelled = (labels: Record<string, string>) => {
    const { metadata, ...rest } = widget("web");
    return { ...rest, metadata: { ...metadata, labels } };
  };
  await requested(() => cluster.apply(labelled({ uses: "one" })));
  expect(await requested(() => cluster.apply(labelled({ uses: "two" })))).toEqual(["a/web"]);
  expect(await requested(() => cluster.apply(labelled({ uses: "two", other: "x" })))).toEqual([]);
  expect(await requested(() => cluster.apply(labelled({})))).toEqual([]);
  expect(await requested(() => cluster.apply(labelled({ uses: "one" })))).toEqual(["a/web"]);
  await stop();
});

test("objects outside a scope begin to use others, and are not requested", async () => {
  const { cluster, requested, stop } = await watching({
    eventFilter: inNamespaces("b"),
    watches: [usedBy],
  });
  await requested(() => cluster.apply(widget("web", { uses: ["one"] })));
  expect(await requested(() => cluster.apply(widget("web", { uses: ["two"] })))).toEqual([]);
  await stop();
});

test("what a list finds after a lost watch is requested unless the last run saw it so", async () => {
  const web = { namespace: "a", name: "web" };
  const { cluster, requested, clock, queue, ran, stop } = await watching({
    predicate: changed((object: Widget) => object.spec?.size),
  });
  const saw = () => ran(web, { reads: [[Widget, web]] });
  await requested(() => cluster.apply(widget("web", { size: 1 })));
  // Another change woke a run while nobody watched, which saw a state that no watch tells.
  cluster.dropWatches();
  cluster.apply(widget("web", { size: 2 }));
  await saw();
  cluster.apply(widget("web", { size: 1 }));
  cluster.compact();
  await clock.advance(60_000);
  expect(queue.drain()).toEqual(["a/web change"]);
  await saw();
  cluster.dropWatches();
  cluster.apply({ ...widget("web", { size: 1 }), status: { ready: true } });
  cluster.compact();
  await clock.advance(60_000);
  expect(queue.drain()).toEqual([]);
  await stop();
});

test("usedBy takes whole keys, and a function that throws maps nothing", async () => {
  const uses = watch(Secret, {
    usedBy: (object: Widget) => {
      if (object.spec?.team === "broken") throw new Error("no team");
      return { namespace: "shared", name: object.spec?.team ?? "none" };
    },
  });
  const { cluster, requested, stop } = await watching({ watches: [uses] });
  await requested(() => {
    cluster.apply(widget("one", { team: "red" }));
    cluster.apply(widget("two", { team: "broken" }));
  });
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace: "shared", name: "red" },
  };
  expect(await requested(() => cluster.apply(secret))).toEqual(["a/one"]);
  await stop();
});

const byTeam = watch(ConfigMap, {
  index: (object: Widget) => object.spec?.team,
  keys: ({ metadata }, keysBy) => keysBy(metadata.labels?.team ?? ""),
});

test("keys looks up the index, and wakes what the object mapped to before, too", async () => {
  const { cluster, requested, stop } = await watching({ watches: [byTeam] });
  await requested(() => {
    cluster.apply(widget("one", { team: "red" }));
    cluster.apply(widget("two", { team: "blue" }));
  });
  const labelled = (team: string) => configMap("settings", {}, { labels: { team } });
  expect(await requested(() => cluster.apply(labelled("red")))).toEqual(["a/one"]);
  expect(await requested(() => cluster.apply(labelled("blue")))).toEqual(["a/one", "a/two"]);
  expect(
    await requested(() => cluster.delete(ConfigMap, { namespace: "a", name: "settings" })),
  ).toEqual(["a/two"]);
  await stop();
});

test("objects that were listed before those of `for` are mapped once these are known", async () => {
  const { cluster, requested, stop } = await watching({ watches: [byTeam] }, (made) => {
    made.cluster.apply(widget("one", { team: "red" }));
    made.cluster.apply(configMap("settings", {}, { labels: { team: "red" } }));
    made.cluster.fault(async ({ path }) => {
      if (path.endsWith("/widgets")) await made.clock.sleep(1_000);
      return undefined;
    });
  });
  // By what it maps to now, nobody would be woken.
  const moved = configMap("settings", {}, { labels: { team: "nobody" } });
  expect(await requested(() => cluster.apply(moved))).toEqual(["a/one"]);
  await stop();
});

test("a deletion that only a new list tells wakes those that came to use the object since it was seen last", async () => {
  const { cluster, requested, clock, stop } = await watching({ watches: [byTeam] });
  await requested(() => cluster.apply(configMap("settings", {}, { labels: { team: "red" } })));
  await requested(() => cluster.apply(widget("one", { team: "red" })));
  cluster.dropWatches();
  cluster.delete(ConfigMap, { namespace: "a", name: "settings" });
  cluster.compact({ as: "status" });
  await clock.advance(60_000);
  expect(await requested(() => {})).toEqual(["a/one"]);
  await stop();
});

test("a take-over maps objects by what the index holds then", async () => {
  const web = { namespace: "a", name: "web" };
  const predicate = changed((object: Widget) => object.spec?.size);
  const controller = { name: "widgets", for: Widget, predicate, watches: [byTeam] } as const;
  const { cluster, clock, queue, ran, start } = watcherStage(defineController(controller));
  cluster.serve(Widget);
  cluster.apply(widget("web", { team: "blue" }));
  await ran(web);
  const { stop } = await start({
    lease: () => ({
      ...alwaysHeld,
      whileHeld: async (lead, signal) => {
        await clock.sleep(10_000, signal);
        await lead(signal, 1);
      },
    }),
  });
  cluster.apply(configMap("settings", {}, { labels: { team: "red" } }));
  await clock.advance(200);
  // No predicate tells that it uses the other one now, so that no run has seen that.
  cluster.apply(widget("web", { team: "red" }));
  await clock.advance(15_000);
  expect(queue.drain()).toEqual(["a/web backfill"]);
  await stop();
});
