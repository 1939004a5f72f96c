// What the testing kit costs: node --conditions=tidegate-source test/bench/environment-cost.ts
// Three rounds each, in one process; the first round of the first part is cold.

import { performance } from "node:perf_hooks";
import { ConfigMap, type Controller, defineController, type Reconciler } from "tidegate";
import { startEnvironment } from "tidegate/testing";

const OBJECTS = 500;
const SECONDS = 20;
const labels = { "bench.example.com/enabled": "true" };

const polling = defineController({
  name: "polling",
  for: ConfigMap,
  labels: "bench.example.com/enabled",
  maxConcurrentReconciles: 50,
});
const pollingReconciler: Reconciler<typeof polling> = {
  reconcile: async () => ({ requeueAfterSeconds: 1 }),
};

const copying = defineController({
  name: "copying",
  for: ConfigMap,
  labels: "bench.example.com/enabled",
  owns: [ConfigMap],
  maxConcurrentReconciles: 50,
});
const copyingReconciler: Reconciler<typeof copying> = {
  async reconcile({ metadata, data = {} }, { apply }) {
    await apply(ConfigMap, { metadata: { name: `${metadata.name}-copy` }, data });
  },
};

for (const round of [1, 2, 3]) {
  const polls = await measured([[polling, pollingReconciler]], SECONDS * 1_000);
  console.log(`round ${round}, reads alone: ${polls}`);
  const copies = await measured([[copying, copyingReconciler]], 0);
  console.log(
    `round ${round}, each run creates an object, then runs again for the check: ${copies}`,
  );
}

async function measured<C extends Controller>(
  controllers: readonly [readonly [C, Reconciler<C>]],
  virtualMs: number,
): Promise<string> {
  const startMs = performance.now();
  const env = await startEnvironment<readonly [C]>({ controllers });
  const startedMs = performance.now();
  for (let index = 0; index < OBJECTS; index += 1) {
    await env.client.create(ConfigMap, "default", { metadata: { name: `c${index}`, labels } });
  }
  const madeMs = performance.now();
  await env.settled();
  await env.advance(virtualMs);
  const endMs = performance.now();
  const runs = env.runs().length;
  await env.stop();
  const perSecond = Math.round((1_000 * runs) / (endMs - startedMs));
  const parts = `${Math.round(madeMs - startedMs)} ms to create ${OBJECTS}, ${Math.round(endMs - madeMs)} ms after`;
  return `start ${Math.round(startedMs - startMs)} ms, ${runs} runs, ${perSecond} a second (${parts})`;
}
