import { expect, test } from "@jest/globals";
import type { Controller } from "../../shared/api/controller.ts";
import { defineController } from "../../shared/api/controller.ts";
import { ConfigMap } from "../../shared/api/kinds.ts";
import type { LogFields } from "../../shared/api/log.ts";
import type { OwnerReference } from "../../shared/api/object.ts";
import { changed, generationChanged } from "../../shared/api/predicate.ts";
import type { Context } from "../../shared/api/reconciler.ts";
import { own } from "../../shared/api/source.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import { encodeRequest } from "../../shared/queue/request-codec.ts";
import { noMetrics } from "../../shared/telemetry/metrics.ts";
import type { AnyReconciler } from "../../shared/worker/run-object.ts";
import { createWorker } from "../../shared/worker/worker.ts";
import { Widget, widget } from "../support/watcher-objects.ts";
import { CLUSTER, REVISION, watcherStage } from "../support/watcher-stage.ts";

// Watcher and worker together: what the one tells by what the other wrote down.

const web = { namespace: "a", name: "web" };
const child = { namespace: "a", name: "web-child" };

/** A reconciler that makes one config map of each widget, and a status. */
function loop(options: object = {}, reconciler: Partial<AnyReconciler> = {}) {
  const controller = defineController({
    name: "widgets",
    for: Widget,
    owns: [ConfigMap],
    ...options,
  }) as unknown as Controller;
  const stage = watcherStage(controller);
  stage.cluster.serve(Widget);
  const logged: { message: string; fields: LogFields | undefined }[] = [];
  const warn = (message: string, fields?: LogFields) => void logged.push({ message, fields });
  const log = { debug: () => {}, info: () => {}, warn, error: () => {} };
  let ids = 0;
  const worker = createWorker({
    controller,
    reconciler: {
      reconcile: async (object: Widget, { apply }: Context<ConfigMap>) => {
        const { name, namespace = "" } = object.metadata;
        const metadata = { namespace, name: `${name}-child` };
        await apply(ConfigMap, { metadata, data: { size: String(object.spec?.size ?? 0) } });
        return { status: { ready: true } };
      },
      ...reconciler,
    },
    store: stage.store,
    queue: stage.queue,
    kube: createKubeClient(stage.cluster),
    clock: stage.clock,
    random: () => 0.5,
    newId: () => {
      ids += 1;
      return `run-${ids}`;
    },
    log,
    metrics: noMetrics,
    cluster: CLUSTER,
    revision: REVISION,
    exit: () => {},
  });
  /** Works off what is queued, for so many seconds; resolves to the number of runs. */
  const work = async (seconds: number) => {
    let runs = 0;
    for (let step = 0; step < seconds * 10; step += 1) {
      await stage.clock.advance(100);
      const sent = stage.queue.sent.splice(0).filter(({ swallowed }) => !swallowed);
      const Records = sent.map((outgoing, index) => ({
        messageId: `m${index}`,
        receiptHandle: `h${index}`,
        body: encodeRequest(outgoing).MessageBody,
      }));
      if (Records.length === 0) continue;
      await worker({ Records }, { getRemainingTimeInMillis: () => 60_000 });
      runs += Records.length;
    }
    return runs;
  };
  return { ...stage, work, logged };
}

test("a new object runs once: its own writes come back and are told apart", async () => {
  const { cluster, start, work } = loop();
  const { stop } = await start();
  cluster.apply(widget("web"));
  expect(await work(5)).toBe(1);
  expect(cluster.get(ConfigMap, child)?.data).toEqual({ size: "1" });

  cluster.apply(widget("web", { size: 2 }));
  expect(await work(5)).toBe(1);
  expect(cluster.get(ConfigMap, child)?.data).toEqual({ size: "2" });
  await stop();
});

test("drift of a child is repaired by one run, its deletion, too", async () => {
  const { cluster, start, work } = loop();
  const { stop } = await start();
  cluster.apply(widget("web"));
  await work(5);
  cluster.update(ConfigMap, child, (map) => ({ ...map, data: { size: "9" } }));
  expect(await work(5)).toBe(1);
  expect(cluster.get(ConfigMap, child)?.data).toEqual({ size: "1" });
  cluster.delete(ConfigMap, child);
  expect(await work(5)).toBe(1);
  expect(cluster.get(ConfigMap, child)?.data).toEqual({ size: "1" });
  await stop();
});

test("a restart runs nothing, and what changed meanwhile once", async () => {
  const options = {
    predicate: generationChanged,
    owns: [own(ConfigMap, { predicate: changed((map) => map.data) })],
  };
  const { cluster, start, work } = loop(options);
  const first = await start();
  for (const name of ["web", "other", "third"]) cluster.apply(widget(name));
  expect(await work(5)).toBe(3);
  await first.stop();

  const second = await start();
  expect(await work(20)).toBe(0);
  await second.stop();
  cluster.delete(ConfigMap, child);
  cluster.apply(widget("other", { size: 5 }));
  const third = await start();
  expect(await work(20)).toBe(2);
  expect(cluster.get(ConfigMap, child)?.data).toEqual({ size: "1" });
  await third.stop();
});

test("an object with a finalizer is finalized and goes; nothing is left to do", async () => {
  const finalized: string[] = [];
  const { cluster, start, work, store, key } = loop(
    { finalizer: "test.example.com/f" },
    { finalize: async (object: Widget) => void finalized.push(object.metadata.name) },
  );
  const { stop } = await start();
  cluster.apply(widget("web"));
  expect(await work(5)).toBe(1);
  cluster.delete(Widget, web);
  expect(await work(10)).toBeLessThanOrEqual(2);
  expect(finalized).toEqual(["web"]);
  expect(cluster.get(Widget, web)).toBeUndefined();
  expect(store.record(key(web))?.outcome).toBe("gone");
  await stop();
});

test("a run that asks to be repeated is repeated by its timer", async () => {
  let runs = 0;
  const reconcile: AnyReconciler["reconcile"] = async () => {
    runs += 1;
    return { requeueAfterSeconds: 30 };
  };
  const { cluster, start, work } = loop({}, { reconcile });
  const { stop } = await start();
  cluster.apply(widget("web"));
  await work(95);
  expect(runs).toBe(4);
  await stop();
});

/** A reconciler written by hand that never finds what it wrote: each run writes again. */
const restless = {
  reconcile: async (_object: Widget, { client }: Context<ConfigMap>) => {
    const found = await client.get(ConfigMap, child.name);
    const turns = Number(found?.data?.turns ?? 0) + 1;
    const metadata = { name: child.name, ownerReferences: [owner] };
    if (!found) await client.create(ConfigMap, { metadata, data: { turns: "1" } });
    else {
      const patch = { data: { turns: String(turns) } };
      await client.patch(ConfigMap, child.name, { type: "merge", patch });
    }
  },
} as unknown as Partial<AnyReconciler>;
let owner: OwnerReference;

test("B39: an object that keeps waking itself is slowed, and a new spec is not", async () => {
  const { cluster, start, work, logged } = loop({}, restless);
  const { stop } = await start();
  const { metadata } = cluster.apply<Widget>(widget("web"));
  owner = {
    apiVersion: Widget.apiVersion,
    kind: "Widget",
    name: "web",
    uid: metadata.uid,
    controller: true,
  };
  expect(await work(20)).toBeLessThan(20);
  expect(await work(60)).toBeLessThan(6);
  expect(logged.find(({ fields }) => fields?.fields)).toMatchObject({
    fields: { fields: ["ConfigMap web-child: data.turns"] },
  });
  cluster.apply(widget("web", { size: 9 }));
  expect(await work(61)).toBeGreaterThan(10);
  await stop();
});
