import { expect, jest, test } from "@jest/globals";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { changed, generationChanged, labelsChanged } from "../../shared/api/predicate.ts";
import { own } from "../../shared/api/source.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { startPlatform } from "../support/platform.ts";
import { Widget, widget } from "../support/watcher-objects.ts";
import { child, makeChild, makesChild, type WidgetContext, web, widgets } from "./widgets.ts";

// Deletions, finalizers, and controllers that share an object.

// Minutes of virtual time can take seconds where the machine is busy.
jest.setTimeout(30_000);

const seconds = (count: number) => count * 1_000;
const finalizer = "test.example.com/f";

test("B25: the finalizer stays until finalize succeeds; its status starts no second one", async () => {
  const clock = new VirtualClock();
  const answers: (() => Promise<unknown>)[] = [
    () => Promise.reject(new Error("not yet")),
    async () => ({ requeueAfterSeconds: 30, status: { ready: false } }),
  ];
  const finalize = async () => {
    await clock.sleep(seconds(1));
    return answers.shift()?.();
  };
  const controllers = [[widgets({ finalizer }), { ...makesChild, finalize }]] as const;
  const platform = await startPlatform({ clock, controllers });
  platform.cluster.apply(widget("web"));
  await platform.settled();
  platform.drain();
  platform.cluster.delete(Widget, web);
  await platform.advance(seconds(20));
  expect(platform.drain()).toEqual(["finalize a/web", "finalize a/web"]);
  expect(platform.cluster.get(Widget, web)?.metadata.finalizers).toEqual([finalizer]);
  await platform.advance(seconds(30));
  expect(platform.drain()).toEqual(["finalize a/web"]);
  expect(platform.cluster.get(Widget, web)).toBeUndefined();
  expect(platform.overlaps).toEqual([]);
  await platform.stop();
});

test.each([
  ["has the same words each time", () => new Error("not yet")],
  ["has other words each time", (run: number) => new Error(`request ${run} was refused`)],
] as const)("B25: a finalize that fails and %s keeps its backoff", async (_, error) => {
  let runs = 0;
  const finalize = async () => {
    runs += 1;
    throw error(runs);
  };
  const controllers = [[widgets({ finalizer }), { ...makesChild, finalize }]] as const;
  const platform = await startPlatform({ controllers });
  platform.cluster.apply(widget("web"));
  await platform.settled();
  platform.drain();
  platform.cluster.delete(Widget, web);
  await platform.advance(seconds(60));
  expect(platform.cluster.get(Widget, web)?.metadata.finalizers).toEqual([finalizer]);
  expect(platform.drain().length).toBeLessThan(10);
  await platform.stop();
});

test.each([
  ["generationChanged", generationChanged],
  ["labelsChanged", labelsChanged],
  ["changed", changed((object: Widget) => object.spec)],
] as const)(
  "B27, S2: with the predicate %s a deletion is finalized, live and after a time without watchers",
  async (_, predicate) => {
    const controller = widgets({ finalizer, predicate });
    const platform = await startPlatform({ controllers: [[controller, makesChild]] });
    const { cluster } = platform;
    for (const name of ["live", "away"]) cluster.apply(widget(name));
    await platform.settled();
    platform.drain();
    cluster.delete(Widget, { namespace: "a", name: "live" });
    await platform.settled();
    expect(platform.drain()).toEqual(["finalize a/live"]);
    platform.killWatcher();
    cluster.delete(Widget, { namespace: "a", name: "away" });
    platform.startWatcher();
    await platform.advance(seconds(25));
    expect(platform.drain()).toEqual(["finalize a/away"]);
    expect(cluster.list(Widget)).toEqual([]);
    await platform.stop();
  },
);

test("B27: a finalizer that goes while the object terminates wakes those who wait for it", async () => {
  const other = "other.example.com/f";
  const finalize = async ({ metadata }: Widget) =>
    metadata.finalizers?.includes(other) ? { requeueAfterSeconds: 3_600 } : undefined;
  const controller = widgets({ finalizer, predicate: generationChanged });
  const platform = await startPlatform({
    controllers: [[controller, { ...makesChild, finalize }]],
  });
  const { cluster } = platform;
  cluster.apply(widget("web", { size: 1 }, { finalizers: [other] }));
  await platform.settled();
  cluster.delete(Widget, web);
  await platform.settled();
  expect(cluster.get(Widget, web)?.metadata.finalizers).toEqual([other, finalizer]);
  cluster.update(Widget, web, (object) => ({
    ...object,
    metadata: { ...object.metadata, finalizers: [finalizer] },
  }));
  await platform.settled();
  expect(cluster.get(Widget, web)).toBeUndefined();
  await platform.stop();
});

test("B30: a deletion that a list finds reaches the owner though the predicate throws", async () => {
  const predicate = () => {
    throw new Error("no such field");
  };
  const controller = widgets({ owns: [own(ConfigMap, { predicate })] });
  const platform = await startPlatform({ controllers: [[controller, makesChild]] });
  const { cluster } = platform;
  cluster.apply(widget("web"));
  await platform.settled();
  platform.drain();
  cluster.fault(({ path }) =>
    path.includes("configmaps") ? new Error("connection refused") : undefined,
  );
  cluster.dropWatches();
  cluster.delete(ConfigMap, child);
  cluster.compact();
  await platform.advance(seconds(3));
  expect(platform.drain()).toEqual([]);
  cluster.fault(() => undefined);
  await platform.advance(seconds(60));
  expect(platform.drain()).toContain("reconcile a/web");
  expect(cluster.get(ConfigMap, child)).toBeDefined();
  await platform.stop();
});

test.each([
  ["with a finalizer", { finalizer }, ["finalize a/web"]],
  ["without one", {}, []],
] as const)("foreground deletion of an owner %s ends", async (_, options, calls) => {
  const platform = await startPlatform({ controllers: [[widgets(options), makesChild]] });
  const { cluster } = platform;
  cluster.apply(widget("web"));
  await platform.settled();
  platform.drain();
  cluster.delete(Widget, web, "Foreground");
  await platform.settled();
  expect(platform.drain()).toEqual(calls);
  expect(cluster.get(Widget, web)).toBeUndefined();
  expect(cluster.get(ConfigMap, child)).toBeUndefined();
  await platform.stop();
});

test("two controllers of one kind: finalizers, conditions and children of both stay, and neither wakes the other for ever", async () => {
  const of = (name: string) => {
    const condition = { type: `Is${name}`, status: "True" as const, reason: "Made", message: "" };
    const reconcile = async (object: Widget, context: WidgetContext) => {
      const metadata = { name: `${object.metadata.name}-${name}` };
      await context.apply(ConfigMap, { metadata, data: {} });
      return { status: { conditions: [condition] } };
    };
    return [widgets({ name, finalizer: `test.example.com/${name}` }), { reconcile }] as const;
  };
  const platform = await startPlatform({ controllers: [of("one"), of("two")] });
  const { cluster } = platform;
  cluster.apply(widget("web"));
  await platform.advance(seconds(60));
  const { metadata, status } = cluster.list(Widget)[0] as Widget;
  const finalizers = ["test.example.com/one", "test.example.com/two"];
  expect(metadata.finalizers).toEqual(expect.arrayContaining(finalizers));
  const types = (status as unknown as { conditions: { type: string }[] }).conditions;
  expect(types.map(({ type }) => type).sort()).toEqual(["Isone", "Istwo"]);
  expect(platform.drain().length).toBeLessThan(10);
  cluster.delete(Widget, web);
  await platform.settled();
  const finalized = platform.drain().filter((call) => call === "finalize a/web");
  expect(finalized.length).toBeGreaterThanOrEqual(2);
  expect(cluster.get(Widget, web)).toBeUndefined();
  await platform.stop();
});

test("an object whose namespace terminates is left to its deletion", async () => {
  const platform = await startPlatform({ controllers: [[widgets(), makesChild]] });
  platform.cluster.apply(widget("web"));
  platform.cluster.terminating("a");
  await platform.advance(seconds(60));
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  expect(platform.record(web)).toMatchObject({ outcome: "success", failures: 0 });
  await platform.stop();
});

test("children are not made anew for an owner that was deleted while a run of it went on", async () => {
  const clock = new VirtualClock();
  const reconcile = async (object: Widget, context: WidgetContext) => {
    await clock.sleep(seconds(5));
    await makeChild(object, context);
  };
  const platform = await startPlatform({ clock, controllers: [[widgets(), { reconcile }]] });
  platform.cluster.apply(widget("web"));
  await platform.advance(seconds(2));
  platform.cluster.delete(Widget, web);
  await platform.settled();
  expect(platform.cluster.list(ConfigMap)).toEqual([]);
  expect(platform.record(web)).toMatchObject({ outcome: "gone" });
  await platform.stop();
});
