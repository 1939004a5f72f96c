import { expect, jest, test } from "@jest/globals";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { changed } from "../../shared/api/predicate.ts";
import type { Client } from "../../shared/api/reconciler.ts";
import { watch } from "../../shared/api/source.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { type Platform, startPlatform } from "../support/platform.ts";
import { configMap, ownedBy, Widget, widget } from "../support/watcher-objects.ts";
import { child, makeChild, makesChild, type WidgetContext, web, widgets } from "./widgets.ts";

// Changes from the cluster to the reconciler: none is lost, and few run for nothing.

// Minutes of virtual time can take seconds where the machine is busy.
jest.setTimeout(30_000);

const input = { namespace: "a", name: "input" };
const seconds = (count: number) => count * 1_000;

/** The child, by what it was made of. */
const sizeMade = ({ cluster }: Platform) => cluster.get(ConfigMap, child)?.data?.size;

/** A reconciler that takes five seconds between reading and making. */
function slow(clock: VirtualClock) {
  const reconcile = async (object: Widget, context: WidgetContext) => {
    await clock.sleep(seconds(5));
    await makeChild(object, context);
    return { status: { ready: true } };
  };
  return { reconcile };
}

test.each([5, 299, 301])("B02: a change %i s after a run leads to one more", async (later) => {
  const platform = await startPlatform({ controllers: [[widgets(), makesChild]] });
  platform.cluster.apply(widget("web"));
  await platform.settled();
  const [first] = platform.runs;
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  await platform.advance((first?.atMs ?? 0) + seconds(later) - platform.clock.monotonicMs());
  platform.cluster.apply(widget("web", { size: 2 }));
  await platform.settled();
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  expect(sizeMade(platform)).toBe("2");
  await platform.stop();
});

test("B02: of a burst of changes the last one is made, in few runs", async () => {
  const platform = await startPlatform({ controllers: [[widgets(), makesChild]] });
  for (let size = 1; size <= 50; size += 1) {
    platform.cluster.apply(widget("web", { size }));
    await platform.advance(20);
  }
  await platform.settled();
  expect(sizeMade(platform)).toBe("50");
  // One a linger, for a run takes no time here.
  expect(platform.drain().length).toBeLessThanOrEqual(20);
  await platform.stop();
});

test("B03: a foreign change during a run that ends with a status of its own leads to one more", async () => {
  const clock = new VirtualClock();
  const platform = await startPlatform({ clock, controllers: [[widgets(), slow(clock)]] });
  platform.cluster.apply(widget("web"));
  await platform.advance(seconds(2));
  expect(platform.functions.get("widgets")?.running).toBe(1);
  platform.cluster.apply(widget("web", { size: 2 }));
  await platform.settled();
  const sizes = platform.runs.map(({ object }) => (object as Widget).spec?.size);
  expect(sizes).toEqual([1, 2]);
  expect(platform.overlaps).toEqual([]);
  await platform.stop();
});

test("B09: what the queue refuses is sent in the end, though the watch broke off and lists anew", async () => {
  const platform = await startPlatform({ controllers: [[widgets(), makesChild]] });
  platform.sqs.inject({ action: "SendMessageBatch", error: "InternalFailure", times: 12 });
  platform.cluster.apply(widget("web"));
  await platform.advance(seconds(1));
  platform.cluster.compact();
  platform.cluster.dropWatches();
  await platform.advance(seconds(30));
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  await platform.stop();
});

test("B09: a watcher killed between receiving a change and sending it loses nothing", async () => {
  const platform = await startPlatform({ controllers: [[widgets(), makesChild]] });
  platform.cluster.apply(widget("web"));
  await platform.advance(20);
  platform.killWatcher();
  platform.startWatcher();
  await platform.advance(seconds(5));
  expect(platform.drain()).toEqual([]);
  await platform.advance(seconds(20));
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  await platform.stop();
});

test("B09, B10: a watcher killed while some entries of its batch are refused loses none", async () => {
  const platform = await startPlatform({ controllers: [[widgets(), makesChild]] });
  const failEntries = (index: number) => index % 2 === 0;
  platform.sqs.inject({ action: "SendMessageBatch", failEntries, times: 4 });
  const names = ["one", "two", "three", "four", "five"];
  for (const name of names) platform.cluster.apply(widget(name));
  await platform.advance(100);
  platform.killWatcher();
  platform.startWatcher();
  await platform.advance(seconds(30));
  expect(platform.drain().sort()).toEqual(names.map((name) => `reconcile a/${name}`).sort());
  await platform.stop();
});

test("a send whose answer is lost makes one run", async () => {
  const platform = await startPlatform({ controllers: [[widgets(), makesChild]] });
  platform.sqs.inject({ action: "SendMessageBatch", loseAnswer: true });
  platform.cluster.apply(widget("web"));
  await platform.settled();
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  await platform.stop();
});

test.each(["live", "while no watcher runs"])(
  "B12: an object made anew under its name, %s, is told as gone and is begun afresh",
  async (when) => {
    const gone = async () => {};
    const platform = await startPlatform({ controllers: [[widgets(), { ...makesChild, gone }]] });
    const { cluster } = platform;
    cluster.apply(widget("web"));
    await platform.settled();
    const before = cluster.get(Widget, web)?.metadata.uid;
    platform.drain();
    if (when !== "live") platform.killWatcher();
    cluster.delete(Widget, web);
    cluster.apply(widget("web", { size: 2 }));
    if (when !== "live") platform.startWatcher();
    await platform.advance(seconds(20));
    expect(platform.drain()).toEqual(["gone a/web", "reconcile a/web"]);
    const { uid } = platform.record(web);
    expect(uid).toBe(cluster.get(Widget, web)?.metadata.uid);
    expect(uid).not.toBe(before);
    await platform.stop();
  },
);

test("an object that comes back when the table has forgotten its record is run", async () => {
  const platform = await startPlatform({ controllers: [[widgets(), makesChild]] });
  const { cluster, store } = platform;
  cluster.apply(widget("web"));
  await platform.settled();
  cluster.delete(Widget, web);
  await platform.settled();
  expect(platform.record(web)).toMatchObject({ outcome: "gone" });
  platform.drain();
  // Sixteen days later; the queue has forgotten the id of epoch 0 long before.
  await platform.advance(seconds(301));
  store.put({ cluster: "main", controller: "widgets", ...web }, undefined);
  cluster.apply(widget("web"));
  await platform.settled();
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  await platform.stop();
});

test("Q2: a change while a start is on its way to the table is read by that run", async () => {
  const clock = new VirtualClock();
  const platform = await startPlatform({ clock, controllers: [[widgets(), makesChild]] });
  const { start } = platform.store;
  platform.store.start = async (...of) => {
    await clock.sleep(seconds(2));
    return start(...of);
  };
  platform.cluster.apply(widget("web"));
  await platform.advance(seconds(1));
  // Its request is swallowed, for the epoch is still that of the first one.
  platform.cluster.apply(widget("web", { size: 2 }));
  await platform.settled();
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  expect(sizeMade(platform)).toBe("2");
  await platform.stop();
});

test("a change after each start is sent, however close the epochs are", async () => {
  const clock = new VirtualClock();
  const platform = await startPlatform({ clock, controllers: [[widgets(), slow(clock)]] });
  for (let size = 1; size <= 10; size += 1) {
    platform.cluster.apply(widget("web", { size }));
    await platform.advance(seconds(3));
  }
  await platform.settled();
  expect(sizeMade(platform)).toBe("10");
  expect(platform.overlaps).toEqual([]);
  await platform.stop();
});

test.each([0, 70])(
  "S1: back to what an older run made, while a run makes the other; the watcher's time is %i s ahead",
  async (aheadSeconds) => {
    const clock = new VirtualClock();
    const platform = await startPlatform({
      clock,
      serverNowMs: () => clock.nowMs() + seconds(aheadSeconds),
      controllers: [[widgets({ predicate: changed((of: Widget) => of.spec) }), slow(clock)]],
    });
    platform.cluster.apply(widget("web", { size: 1 }));
    await platform.settled();
    platform.cluster.apply(widget("web", { size: 2 }));
    await platform.advance(seconds(2));
    expect(platform.functions.get("widgets")?.running).toBe(1);
    platform.cluster.apply(widget("web", { size: 1 }));
    await platform.settled();
    expect(sizeMade(platform)).toBe("1");
    await platform.stop();
  },
);

test("S1: back to what an older run made, after a run that made the other and died", async () => {
  const clock = new VirtualClock();
  const controller = widgets({ predicate: changed((of: Widget) => of.spec) });
  const reconcile = async (object: Widget, context: WidgetContext) => {
    await makeChild(object, context);
    if (object.spec?.size === 2) await clock.sleep(seconds(20));
  };
  const platform = await startPlatform({ clock, controllers: [[controller, { reconcile }]] });
  platform.cluster.apply(widget("web", { size: 1 }));
  await platform.settled();
  platform.cluster.apply(widget("web", { size: 2 }));
  await platform.advance(seconds(2));
  expect(sizeMade(platform)).toBe("2");
  platform.killWorkers();
  // The message that would have brought it back: with it the trace shows nothing.
  await platform.sqs.call("PurgeQueue", { QueueUrl: platform.sqs.urlOf("widgets.fifo", {}) });
  await platform.advance(seconds(120));
  platform.cluster.apply(widget("web", { size: 1 }));
  await platform.settled();
  expect(sizeMade(platform)).toBe("1");
  await platform.stop();
});

test("an object that is read twice in a run, and changes in between, leads to another run", async () => {
  const clock = new VirtualClock();
  const uses = watch(ConfigMap, { usedBy: () => "input" });
  const reconcile = async (
    object: Widget,
    { client, apply }: WidgetContext & { client: Client<never, never> },
  ) => {
    const get = client.get as (kind: unknown, name: string) => Promise<ConfigMap | undefined>;
    const first = await get(ConfigMap, "input");
    await clock.sleep(seconds(3));
    await get(ConfigMap, "input");
    const name = `${object.metadata.name}-child`;
    await apply(ConfigMap, { metadata: { name }, data: { size: first?.data?.size ?? "none" } });
  };
  const controllers = [[widgets({ watches: [uses] }), { reconcile }]] as const;
  const platform = await startPlatform({ clock, controllers });
  platform.cluster.apply(configMap("input", { size: "1" }));
  platform.cluster.apply(widget("web"));
  await platform.advance(seconds(2));
  platform.cluster.update(ConfigMap, input, (map) => ({ ...map, data: { size: "2" } }));
  await platform.settled();
  expect(sizeMade(platform)).toBe("2");
  await platform.stop();
});

test("the echo of a write by hand leads to a run, that of an apply and a status to none", async () => {
  const reconcile = async (
    object: Widget,
    context: WidgetContext & { client: Client<ConfigMap, never> },
  ) => {
    const { client } = context;
    const byHand = { ...configMap("by-hand"), metadata: { name: "by-hand", ...ownedBy(object) } };
    if (object.spec?.size === 2) await client.create(ConfigMap, byHand).catch(() => {});
    else await makeChild(object, context);
    return { status: { ready: true } };
  };
  const platform = await startPlatform({ controllers: [[widgets(), { reconcile }]] });
  platform.cluster.apply(widget("web"));
  await platform.settled();
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  platform.cluster.apply(widget("web", { size: 2 }));
  await platform.settled();
  expect(platform.drain()).toEqual(["reconcile a/web", "reconcile a/web"]);
  await platform.stop();
});

test("B39: a status that holds the time of its run makes one run a change", async () => {
  const clock = new VirtualClock();
  const reconcile = async () => ({ status: { checked: clock.nowMs() } });
  const platform = await startPlatform({ clock, controllers: [[widgets(), { reconcile }]] });
  platform.cluster.apply(widget("web"));
  await platform.advance(seconds(60));
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  platform.cluster.apply(widget("web", { size: 2 }));
  await platform.advance(seconds(60));
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  await platform.stop();
});

test("B39: an object that writes a time by hand at each run is slowed, and named with what it writes", async () => {
  const clock = new VirtualClock();
  const reconcile = async (
    object: Widget,
    { client }: WidgetContext & { client: Client<ConfigMap, never> },
  ) => {
    const data = { at: String(clock.nowMs()) };
    if (object.metadata.generation === 1 && !platform.cluster.get(ConfigMap, byHand)) {
      const metadata = { name: byHand.name, ...ownedBy(object) };
      await client.create(ConfigMap, { metadata, data });
    } else await client.patch(ConfigMap, byHand.name, { type: "merge", patch: { data } });
  };
  const byHand = { namespace: "a", name: "by-hand" };
  const platform = await startPlatform({ clock, controllers: [[widgets(), { reconcile }]] });
  platform.cluster.apply(widget("web"));
  await platform.advance(seconds(60));
  expect(platform.drain().length).toBeLessThan(25);
  const warned = platform.log.find(({ message }) => message.includes("waking itself"));
  expect(warned?.fields).toMatchObject({
    name: "web",
    fields: [expect.stringContaining("by-hand")],
  });
  platform.cluster.apply(widget("web", { size: 2 }));
  await platform.advance(seconds(61));
  expect(platform.runs.map(({ object }) => (object as Widget).spec?.size)).toContain(2);
  await platform.stop();
});

test("a request whose object the last run has seen is run all the same", async () => {
  const platform = await startPlatform({ controllers: [[widgets(), makesChild]] });
  platform.cluster.apply(widget("web"));
  await platform.settled();
  platform.drain();
  const body = { version: 1, cluster: "main", controller: "widgets", ...web, reason: "change" };
  await platform.sqs.call("SendMessage", {
    QueueUrl: platform.sqs.urlOf("widgets.fifo", {}),
    MessageBody: JSON.stringify(body),
    MessageGroupId: "any",
    MessageDeduplicationId: "any",
  });
  await platform.settled();
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  await platform.stop();
});
