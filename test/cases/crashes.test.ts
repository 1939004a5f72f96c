import { expect, jest, test } from "@jest/globals";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { type PlatformOptions, startPlatform } from "../support/platform.ts";
import { type Widget, widget } from "../support/watcher-objects.ts";
import { child, makeChild, makesChild, type WidgetContext, web, widgets } from "./widgets.ts";

// Watchers and functions that die, freeze or are away: what was asked for is made all the same.

// Minutes of virtual time can take seconds where the machine is busy.
jest.setTimeout(30_000);

const seconds = (count: number) => count * 1_000;

/** Long enough for a standby to take the lease of a leader that died, and to look through all keys. */
const TAKE_OVER_MS = seconds(25);

/** A platform whose widget "web" has been reconciled. */
async function reconciled(options: Partial<PlatformOptions> = {}) {
  const platform = await startPlatform({ controllers: [[widgets(), makesChild]], ...options });
  platform.cluster.apply(widget("web"));
  await platform.settled();
  platform.drain();
  return platform;
}

test("a child that is deleted after the leader died, as a standby watches, is made anew", async () => {
  const platform = await reconciled();
  const [leader] = platform.watchers;
  const standby = platform.startWatcher();
  await platform.advance(seconds(5));
  leader?.process.kill();
  await platform.advance(seconds(1));
  platform.cluster.delete(ConfigMap, child);
  await platform.advance(seconds(1));
  expect(standby.watcher.health().leading).toBe(false);
  expect(platform.drain()).toEqual([]);
  await platform.advance(TAKE_OVER_MS);
  expect(standby.watcher.health().leading).toBe(true);
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  expect(platform.cluster.get(ConfigMap, child)).toBeDefined();
  await platform.stop();
});

test("a child that is deleted while nobody watches, as a run of its owner goes on, is made anew", async () => {
  const clock = new VirtualClock();
  const reconcile = async (object: Widget, context: WidgetContext) => {
    await makeChild(object, context);
    await clock.sleep(seconds(40));
  };
  const platform = await startPlatform({ clock, controllers: [[widgets(), { reconcile }]] });
  platform.cluster.apply(widget("web"));
  await platform.advance(seconds(2));
  expect(platform.cluster.get(ConfigMap, child)).toBeDefined();
  platform.killWatcher();
  platform.cluster.delete(ConfigMap, child);
  platform.startWatcher();
  await platform.advance(TAKE_OVER_MS);
  await platform.settled();
  expect(platform.cluster.get(ConfigMap, child)).toBeDefined();
  expect(platform.overlaps).toEqual([]);
  await platform.stop();
});

test("a restart of the watcher runs nothing where nothing changed", async () => {
  const platform = await reconciled();
  platform.killWatcher();
  platform.startWatcher();
  await platform.advance(TAKE_OVER_MS);
  expect(platform.drain()).toEqual([]);
  await platform.stop();
});

test("S6: a start while an owned kind is not served runs nothing, and what its objects changed is found later", async () => {
  const platform = await reconciled();
  platform.killWatcher();
  const missing = { status: 404, headers: {}, body: "404 page not found\n" };
  platform.cluster.fault(({ path }) => (path.includes("configmaps") ? missing : undefined));
  platform.startWatcher();
  await platform.advance(TAKE_OVER_MS);
  expect(platform.drain()).toEqual([]);
  platform.cluster.delete(ConfigMap, child);
  platform.cluster.fault(() => undefined);
  await platform.advance(seconds(400));
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  await platform.stop();
});

test("B22: a leader that is frozen past its lease adds nothing when it wakes; its rival lost nothing", async () => {
  const platform = await reconciled();
  const [frozen] = platform.watchers;
  platform.startWatcher();
  await platform.advance(seconds(5));
  platform.cluster.apply(widget("web", { size: 2 }));
  await platform.advance(20);
  frozen?.process.freeze();
  await platform.advance(seconds(30));
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  platform.cluster.apply(widget("web", { size: 3 }));
  await platform.settled();
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  frozen?.process.thaw();
  await platform.advance(seconds(30));
  expect(platform.drain()).toEqual([]);
  expect(platform.watchers.filter(({ watcher }) => watcher.health().leading)).toHaveLength(1);
  await platform.stop();
});

test("a timer is kept over a restart of the watcher, and fires in time", async () => {
  const reconcile = async () => ({ requeueAfterSeconds: 300 });
  const platform = await reconciled({ controllers: [[widgets(), { reconcile }]] });
  const { dueAt = 0 } = platform.record(web);
  await platform.advance(seconds(100));
  platform.killWatcher();
  platform.startWatcher();
  await platform.advance(dueAt - platform.clock.nowMs() - seconds(1));
  expect(platform.drain()).toEqual([]);
  await platform.advance(seconds(4));
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  await platform.stop();
});

test("a timer that was due while no watcher ran fires when one leads", async () => {
  const reconcile = async () => ({ requeueAfterSeconds: 30 });
  const platform = await reconciled({ controllers: [[widgets(), { reconcile }]] });
  platform.killWatcher();
  await platform.advance(seconds(600));
  expect(platform.drain()).toEqual([]);
  platform.startWatcher();
  await platform.advance(seconds(20));
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  await platform.stop();
});

test("Q4: the lock of a run outlives the deadline of its function by 5 s", async () => {
  const clock = new VirtualClock();
  const reconcile = async () => clock.sleep(seconds(20));
  const controllers = [[widgets({ timeoutSeconds: 30 }), { reconcile }]] as const;
  const platform = await startPlatform({ clock, controllers });
  platform.cluster.apply(widget("web"));
  await platform.advance(seconds(2));
  const { startedAt = 0, runUntil } = platform.record(web);
  expect(runUntil).toBe(startedAt + seconds(30 + 5));
  platform.killWorkers();
  // Another invocation comes too early, by a message of its own, and leaves everything as it is.
  await platform.sqs.call("SendMessage", {
    QueueUrl: platform.sqs.urlOf("widgets.fifo", {}),
    MessageBody: JSON.stringify({ cluster: "main", controller: "widgets", ...web }),
    MessageGroupId: "another",
    MessageDeduplicationId: "another",
  });
  await platform.advance(seconds(34) - (clock.nowMs() - startedAt));
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  await platform.advance(seconds(30));
  expect(platform.drain().length).toBeGreaterThan(0);
  expect(platform.overlaps).toEqual([]);
  await platform.stop();
});

test("Q8: a timer outlives a run that died, and whose message is lost", async () => {
  const clock = new VirtualClock();
  const reconcile = async ({ spec }: Widget) => {
    if (spec?.size === 2) await clock.sleep(seconds(20));
    return { requeueAfterSeconds: 300 };
  };
  const platform = await reconciled({ clock, controllers: [[widgets(), { reconcile }]] });
  platform.cluster.apply(widget("web", { size: 2 }));
  await platform.advance(seconds(2));
  platform.killWorkers();
  await platform.sqs.call("PurgeQueue", { QueueUrl: platform.sqs.urlOf("widgets.fifo", {}) });
  platform.drain();
  await platform.advance(seconds(330));
  expect(platform.drain()).toEqual(["reconcile a/web"]);
  expect(platform.record(web)).toMatchObject({ outcome: "requeue_after", failures: 0 });
  await platform.stop();
});

test("a function that dies in a run costs its object the rest of its time, and no other anything", async () => {
  const clock = new VirtualClock();
  let dies = true;
  const reconcile = async (object: Widget, context: WidgetContext) => {
    if (dies && object.metadata.name === "web") await clock.sleep(seconds(50));
    await makeChild(object, context);
  };
  const platform = await startPlatform({ clock, controllers: [[widgets(), { reconcile }]] });
  platform.cluster.apply(widget("web"));
  platform.cluster.apply(widget("other"));
  await platform.advance(seconds(2));
  platform.killWorkers();
  dies = false;
  await platform.advance(seconds(60));
  expect(platform.drain().filter((run) => run === "reconcile a/web")).toHaveLength(1);
  await platform.advance(seconds(20));
  expect(platform.drain()).toContain("reconcile a/web");
  expect(platform.metrics.of("Crashed", { controller: "widgets" })).toEqual([1]);
  expect(platform.record(web)).toMatchObject({ outcome: "success", failures: 0 });
  expect(platform.overlaps).toEqual([]);
  await platform.stop();
});

test("a function that dies again and again backs off, and a change made meanwhile is not lost", async () => {
  const clock = new VirtualClock();
  const platform = await startPlatform({
    clock,
    controllers: [
      [
        widgets({ timeoutSeconds: 10 }),
        {
          reconcile: async (object: Widget, context: WidgetContext) => {
            if (object.spec?.size === 1) await new Promise(() => {});
            await makeChild(object, context);
          },
        },
      ],
    ],
  });
  platform.cluster.apply(widget("web"));
  await platform.advance(seconds(200));
  const died = platform.drain().length;
  expect(died).toBeGreaterThan(2);
  expect(died).toBeLessThan(15);
  platform.cluster.apply(widget("web", { size: 2 }));
  await platform.advance(seconds(60));
  expect(platform.cluster.get(ConfigMap, child)?.data).toEqual({ size: "2" });
  expect(platform.overlaps).toEqual([]);
  await platform.stop();
});

test("messages that could not be deleted come back, run once more, and go", async () => {
  const platform = await reconciled();
  platform.sqs.inject({ action: "DeleteMessageBatch", error: "InternalFailure" });
  platform.cluster.apply(widget("web", { size: 2 }));
  await platform.advance(seconds(120));
  expect(platform.drain()).toEqual(["reconcile a/web", "reconcile a/web"]);
  await platform.advance(seconds(600));
  expect(platform.drain()).toEqual([]);
  await platform.stop();
});

test.each(["start", "end"] as const)(
  "a table that fails at the %s of a run, before or after the write, delays and loses nothing",
  async (operation) => {
    for (const when of ["before", "after"] as const) {
      const platform = await reconciled();
      platform.store.failNext(operation, { when });
      platform.cluster.apply(widget("web", { size: 2 }));
      await platform.advance(seconds(180));
      expect(platform.cluster.get(ConfigMap, child)?.data).toEqual({ size: "2" });
      expect(platform.record(web)).toMatchObject({ outcome: "success", failures: 0 });
      expect(platform.record(web).runId).toBeUndefined();
      expect(platform.overlaps).toEqual([]);
      await platform.stop();
    }
  },
);
