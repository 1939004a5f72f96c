import { expect, test } from "@jest/globals";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { changed, generationChanged } from "../../shared/api/predicate.ts";
import { watch } from "../../shared/api/source.ts";
import { configMap, widget } from "../support/watcher-objects.ts";
import { watching } from "../support/watcher-requests.ts";

// How many runs a new list asks for, after a watch that was lost.

const COUNT = 300;

/** In one batch of MaximumConcurrency 2 each second, and 8 that may wait unstarted. */
const SLOWED = { least: 8, most: 8 + 2 * 10 };

/** So many widgets that have run, seen or not, and a watcher that leads. */
async function reconciled({ seen, watches = [] }: { seen: boolean; watches?: readonly object[] }) {
  const stage = await watching({
    predicate: generationChanged,
    maxConcurrentReconciles: 4,
    watches,
  });
  const { cluster, clock, queue } = stage;
  const names = Array.from({ length: COUNT }, (_, number) => `w${number}`);
  for (const name of names) cluster.apply(widget(name));
  cluster.apply(configMap("settings"));
  await clock.advance(1_000);
  for (const name of names) await stage.ran({ namespace: "a", name }, seen ? {} : { reads: [] });
  queue.drain();
  /** The requests within ten seconds or so of a list that finds what `act` did. */
  const relisted = async (act: (name: string) => void) => {
    cluster.dropWatches();
    for (const name of names) act(name);
    cluster.compact();
    await clock.advance(13_000);
    return queue.drain();
  };
  return { ...stage, relisted };
}

type Stage = Awaited<ReturnType<typeof reconciled>>;

/** What no predicate passes. */
const ready =
  ({ cluster }: Stage) =>
  (name: string) => {
    cluster.apply({ ...widget(name), status: { ready: true } });
  };

test.each([true, false])("objects that did not change ask for none, seen: %s", async (seen) => {
  const stage = await reconciled({ seen });
  expect(await stage.relisted(() => {})).toEqual([]);
  await stage.stop();
});

test("changes that no predicate passes ask for none where the last runs saw the objects", async () => {
  const stage = await reconciled({ seen: true });
  expect(await stage.relisted(ready(stage))).toEqual([]);
  await stage.stop();
});

test("where the last runs do not tell, each asks once, slowed, and nothing waits behind them", async () => {
  const stage = await reconciled({ seen: false });
  const first = await stage.relisted(ready(stage));
  expect(first.length).toBeGreaterThanOrEqual(SLOWED.least);
  expect(first.length).toBeLessThanOrEqual(SLOWED.most);
  stage.cluster.apply(widget("w299", { size: 2 }));
  await stage.clock.advance(200);
  expect(stage.queue.drain()).toContain("a/w299 change");
  await stage.ran({ namespace: "a", name: "w299" });
  await stage.clock.advance(COUNT * 1_000);
  const all = [...first, ...stage.queue.drain()];
  expect(new Set(all).size).toBeGreaterThanOrEqual(COUNT - 1);
  expect(all.length).toBeLessThanOrEqual(COUNT);
  await stage.stop();
});

test("an object that all map to and none reads makes no crowd either", async () => {
  const everyone = watch(ConfigMap, {
    index: () => "all",
    keys: (_, keysBy) => keysBy("all"),
    predicate: changed(({ metadata }: ConfigMap) => metadata.labels),
  });
  const stage = await reconciled({ seen: true, watches: [everyone] });
  const found = await stage.relisted((name) =>
    stage.cluster.apply(configMap("settings", { name })),
  );
  expect(found.length).toBeGreaterThanOrEqual(SLOWED.least);
  expect(found.length).toBeLessThanOrEqual(SLOWED.most);
  await stage.stop();
});

test("what a predicate passes is in a hurry, though a list found it", async () => {
  const stage = await reconciled({ seen: true });
  const found = await stage.relisted((name) => stage.cluster.apply(widget(name, { size: 2 })));
  expect(found).toHaveLength(COUNT);
  await stage.stop();
});
