import { expect, jest, test } from "@jest/globals";
import { ConfigMap } from "../../shared/api/kinds.ts";
import type { Client } from "../../shared/api/reconciler.ts";
import { ReconcileError } from "../../shared/api/result.ts";
import { type Use, use } from "../../shared/api/use.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { startPlatform } from "../support/platform.ts";
import { configMap, type Widget, widget } from "../support/watcher-objects.ts";
import { child, makeChild, makesChild, type WidgetContext, web, widgets } from "./widgets.ts";

// Runs that fail, wait, take long or ask to be repeated, over queue, table and timers.

// Minutes of virtual time can take seconds where the machine is busy.
jest.setTimeout(30_000);

const seconds = (count: number) => count * 1_000;

/** Fails for widgets of size 1, in the words that it is given. */
function failing(error: (run: number) => Error = () => new Error("not yet")) {
  let runs = 0;
  const reconcile = async (object: Widget, context: WidgetContext) => {
    runs += 1;
    if (object.spec?.size === 1) throw error(runs);
    await makeChild(object, context);
  };
  return { reconcile };
}

/** Runs of a minute with backoffs of 0.75, 1.5, 3, 6, 12 and 24 s. */
const RUNS_A_MINUTE = 7;

test.each([
  ["writes a status of its own", () => new ReconcileError("x", { status: { ready: false } })],
  ["has the same words each time", () => new Error("not yet")],
  ["has other words each time", (run: number) => new Error(`request ${run} was refused`)],
] as const)("a failing run that %s keeps its backoff", async (_, error) => {
  const platform = await startPlatform({ controllers: [[widgets(), failing(error)]] });
  platform.cluster.apply(widget("web"));
  await platform.advance(seconds(60));
  expect(platform.drain()).toHaveLength(RUNS_A_MINUTE);
  expect(platform.record(web)).toMatchObject({ outcome: "error", failures: RUNS_A_MINUTE });
  await platform.stop();
});

test("a failing object keeps its backoff over a restart of the watcher", async () => {
  const platform = await startPlatform({ controllers: [[widgets(), failing()]] });
  platform.cluster.apply(widget("web"));
  await platform.advance(seconds(26));
  platform.killWatcher();
  platform.startWatcher();
  await platform.advance(seconds(34));
  expect(platform.drain()).toHaveLength(RUNS_A_MINUTE);
  await platform.stop();
});

test.each([-300, 300])(
  "S3: a node whose clock is off by %i s leaves backoffs and timers alone",
  async (offset) => {
    const clock = new VirtualClock();
    const watcherClock = clock.machine({ offsetMs: seconds(offset) });
    const platform = await startPlatform({
      clock,
      watcherClock,
      controllers: [[widgets(), failing()]],
    });
    platform.cluster.apply(widget("web"));
    await platform.advance(seconds(60));
    expect(platform.drain()).toHaveLength(RUNS_A_MINUTE);
    await platform.stop();
  },
);

test.each([
  ["in the queue", 60],
  ["by a timer", 600],
] as const)("a change cuts short a backoff that waits %s", async (_, after) => {
  const platform = await startPlatform({ controllers: [[widgets(), failing()]] });
  platform.cluster.apply(widget("web"));
  await platform.advance(seconds(after));
  platform.drain();
  platform.cluster.apply(widget("web", { size: 2 }));
  await platform.advance(seconds(2));
  expect(platform.drain().length).toBeGreaterThan(0);
  expect(platform.cluster.get(ConfigMap, child)?.data).toEqual({ size: "2" });
  await platform.advance(seconds(600));
  expect(platform.drain()).toEqual([]);
  expect(platform.record(web)).toMatchObject({ outcome: "success", failures: 0 });
  await platform.stop();
});

test("S5: conflicts for ten minutes end neither in the dead-letter queue nor in a loop", async () => {
  const controller = widgets({ uses: [use(ConfigMap, "update")] });
  let fights = true;
  const reconcile = async (
    object: Widget,
    context: WidgetContext & { client: Client<ConfigMap, Use<ConfigMap, "update", "">> },
  ) => {
    const stale = configMap("foreign", {}, { resourceVersion: "1" }) as ConfigMap;
    if (fights) await context.client.update(ConfigMap, stale);
    await makeChild(object, context);
  };
  const platform = await startPlatform({ controllers: [[controller, { reconcile }]] });
  platform.cluster.apply(configMap("foreign"));
  platform.cluster.apply(widget("web"));
  await platform.advance(seconds(600));
  expect(platform.record(web)).toMatchObject({ outcome: "conflict", failures: 0 });
  const runs = platform.drain().length;
  expect(runs).toBeGreaterThan(10);
  expect(runs).toBeLessThan(30);
  fights = false;
  await platform.advance(seconds(61));
  expect(platform.cluster.get(ConfigMap, child)).toBeDefined();
  expect(platform.deadLetters).toEqual([]);
  await platform.stop();
});

test("an API server that throttles for ten minutes costs no object its place in the queue", async () => {
  const platform = await startPlatform({ controllers: [[widgets(), makesChild]] });
  const busy = {
    status: 429,
    headers: { "retry-after": "5" },
    body: { kind: "Status", code: 429 },
  };
  platform.cluster.fault(({ method }) => (method === "PATCH" ? busy : undefined));
  platform.cluster.apply(widget("web"));
  await platform.advance(seconds(600));
  expect(platform.record(web)).toMatchObject({ outcome: "throttled", failures: 0 });
  expect(platform.drain().length).toBeLessThan(20);
  platform.cluster.fault(() => undefined);
  await platform.advance(seconds(400));
  expect(platform.cluster.get(ConfigMap, child)).toBeDefined();
  expect(platform.deadLetters).toEqual([]);
  await platform.stop();
});

test("B11: twenty repetitions in a row, each asked for by the run before", async () => {
  const reconcile = async () => ({ requeueAfterSeconds: 5 });
  const platform = await startPlatform({ controllers: [[widgets(), { reconcile }]] });
  platform.cluster.apply(widget("web"));
  await platform.advance(seconds(140));
  expect(platform.drain().length).toBeGreaterThan(20);
  await platform.stop();
});

test("B16: hundreds of objects at once, two at a time, all run once and none is given up", async () => {
  const clock = new VirtualClock();
  let live = 0;
  let most = 0;
  const reconcile = async () => {
    live += 1;
    most = Math.max(most, live);
    await clock.sleep(seconds(1));
    live -= 1;
  };
  const controllers = [[widgets({ maxConcurrentReconciles: 2 }), { reconcile }]] as const;
  const platform = await startPlatform({ clock, controllers });
  for (let index = 0; index < 300; index += 1) platform.cluster.apply(widget(`web-${index}`));
  await platform.advance(seconds(200));
  const runs = platform.drain();
  expect(runs).toHaveLength(300);
  expect(new Set(runs).size).toBe(300);
  expect(most).toBe(2);
  expect(platform.deadLetters).toEqual([]);
  await platform.stop();
});

test("B17: ten slow runs of one batch are not begun a second time", async () => {
  const clock = new VirtualClock();
  const reconcile = async () => clock.sleep(seconds(50));
  const controllers = [[widgets({ maxConcurrentReconciles: 20 }), { reconcile }]] as const;
  const platform = await startPlatform({ clock, controllers });
  for (let index = 0; index < 10; index += 1) platform.cluster.apply(widget(`web-${index}`));
  await platform.advance(seconds(600));
  expect(platform.drain()).toHaveLength(10);
  expect(platform.overlaps).toEqual([]);
  await platform.stop();
});

test("a run that never settles costs the others of its batch nothing, and is tried again alone", async () => {
  const clock = new VirtualClock();
  let stuck = true;
  const reconcile = async ({ metadata }: Widget) => {
    if (stuck && metadata.name === "web-0") await new Promise(() => {});
  };
  const controllers = [
    [widgets({ maxConcurrentReconciles: 20, timeoutSeconds: 20 }), { reconcile }],
  ] as const;
  const platform = await startPlatform({ clock, controllers });
  for (let index = 0; index < 10; index += 1) platform.cluster.apply(widget(`web-${index}`));
  await platform.advance(seconds(21));
  stuck = false;
  await platform.advance(seconds(60));
  const runs = platform.drain();
  expect(runs.filter((run) => run === "reconcile a/web-0")).toHaveLength(2);
  expect(runs).toHaveLength(11);
  expect(platform.overlaps).toEqual([]);
  await platform.stop();
});

test("B38: a slow object holds up no other of its kind", async () => {
  const clock = new VirtualClock();
  const reconcile = async ({ metadata }: Widget) => {
    if (metadata.name === "slow") await clock.sleep(seconds(50));
  };
  const platform = await startPlatform({ clock, controllers: [[widgets(), { reconcile }]] });
  for (const name of ["slow", "b", "c"]) platform.cluster.apply(widget(name));
  await platform.advance(seconds(2));
  expect(platform.drain().sort()).toEqual(["reconcile a/b", "reconcile a/c", "reconcile a/slow"]);
  platform.cluster.apply(widget("c", { size: 2 }));
  await platform.advance(seconds(1));
  expect(platform.functions.get("widgets")?.running).toBe(1);
  expect(platform.drain()).toEqual(["reconcile a/c"]);
  await platform.stop();
});

test("S11, B16: an object that was given up is run again by a resync, and by a change", async () => {
  const options = { maxAttempts: 2, resyncSeconds: 300 };
  const platform = await startPlatform({ controllers: [[widgets(options), failing()]] });
  platform.cluster.apply(widget("web"));
  await platform.advance(seconds(30));
  expect(platform.drain()).toHaveLength(2);
  expect(platform.record(web)).toMatchObject({ outcome: "given_up" });
  expect(platform.deadLetters.map((body) => JSON.parse(body))).toMatchObject([web]);
  await platform.advance(seconds(330));
  expect(platform.drain()).toHaveLength(1);
  platform.cluster.apply(widget("web", { size: 2 }));
  await platform.settled();
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  expect(platform.record(web)).toMatchObject({ outcome: "success", failures: 0 });
  await platform.stop();
});
