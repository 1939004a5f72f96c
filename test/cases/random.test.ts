import { expect, jest, test } from "@jest/globals";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { changed, generationChanged } from "../../shared/api/predicate.ts";
import { own } from "../../shared/api/source.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { type Platform, startPlatform } from "../support/platform.ts";
import { seededNumbers } from "../support/seeded-numbers.ts";
import { Widget, widget } from "../support/watcher-objects.ts";
import { makeChild, type WidgetContext, widgets } from "./widgets.ts";

// Whatever happens in whatever order: once it is quiet, the cluster is as it should be.

jest.setTimeout(60_000);

const seconds = (count: number) => count * 1_000;
const NAMES = ["one", "two", "three"];

const options = {
  finalizer: "test.example.com/f",
  predicate: generationChanged,
  timeoutSeconds: 10,
  owns: [own(ConfigMap, { predicate: changed((map) => map.data) })],
};

type Deed = () => void;

function chooser(random: () => number) {
  return <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
}

/** What can happen to a platform, or be done to it. */
function deedsOn(platform: Platform, random: () => number): readonly Deed[] {
  const some = chooser(random);
  const { cluster, sqs, store } = platform;
  const present = () =>
    cluster.list(Widget).map(({ metadata: { name } }) => ({ namespace: "a", name }));
  return [
    () => void cluster.apply(widget(some(NAMES), { size: Math.floor(random() * 3) })),
    () => void cluster.apply(widget(some(NAMES), { size: Math.floor(random() * 3) })),
    () => {
      const maps = cluster.list(ConfigMap);
      if (maps.length > 0)
        cluster.delete(ConfigMap, { namespace: "a", name: some(maps).metadata.name });
    },
    () => {
      if (present().length > 0) cluster.delete(Widget, some(present()));
    },
    () => platform.killWorkers(),
    () => {
      platform.killWatcher();
      platform.startWatcher();
    },
    () => void platform.startWatcher(),
    () => cluster.dropWatches(),
    () => {
      cluster.compact();
      cluster.dropWatches();
    },
    () => sqs.inject({ action: "SendMessageBatch", error: "InternalFailure", times: 5 }),
    () => sqs.inject({ action: "SendMessageBatch", loseAnswer: true }),
    () => sqs.inject({ action: "DeleteMessageBatch", error: "InternalFailure" }),
    () =>
      sqs.inject({ action: "ChangeMessageVisibilityBatch", error: "InternalFailure", times: 4 }),
    () =>
      store.failNext(some(["start", "end", "read", "due", "list"] as const), {
        when: some(["before", "after"] as const),
      }),
  ];
}

/** A platform to which forty things happened, and that was then left alone for four minutes. */
async function chaos(seed: number): Promise<Platform> {
  const random = seededNumbers(seed);
  const clock = new VirtualClock();
  const some = chooser(random);
  let failing = true;
  const reconcile = async (object: Widget, context: WidgetContext) => {
    if (random() < 0.3) await clock.sleep(seconds(random() * 8));
    if (failing && random() < 0.2) throw new Error(`failure ${random()}`);
    await makeChild(object, context);
    if (random() < 0.3) await clock.sleep(seconds(random() * 4));
    return { status: { ready: true } };
  };
  const finalize = async () => {
    if (failing && random() < 0.3) throw new Error(`failure ${random()}`);
  };
  const controllers = [[widgets(options), { reconcile, finalize }]] as const;
  const platform = await startPlatform({ clock, controllers, random });
  const deeds = deedsOn(platform, random);
  for (let step = 0; step < 40; step += 1) {
    some(deeds)();
    await platform.advance(some([10, 200, 2_000, 10_000]) * random());
  }
  failing = false;
  await platform.advance(seconds(240));
  return platform;
}

test.each([1, 2, 3, 4, 5, 6])(
  "seed %i: every widget has its child, no run is on, and no two of a key were at once",
  async (seed) => {
    const platform = await chaos(seed);
    const { cluster } = platform;
    const widgetsNow = cluster.list(Widget);
    const wanted = widgetsNow.map(({ metadata, spec }) => `${metadata.name}-child ${spec?.size}`);
    const maps = cluster.list(ConfigMap);
    expect(maps.map(({ metadata, data }) => `${metadata.name} ${data?.size}`)).toEqual(wanted);
    for (const { metadata } of widgetsNow) {
      expect(metadata.deletionTimestamp).toBeUndefined();
      expect(platform.record({ namespace: "a", name: metadata.name })).toMatchObject({
        outcome: "success",
        failures: 0,
      });
    }
    expect(platform.overlaps).toEqual([]);
    expect(platform.deadLetters).toEqual([]);
    await platform.stop();
  },
);
