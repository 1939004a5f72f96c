// Prints as JSON what the testing kit costs with the website's controller, in a process of its own.
// node --conditions=tidegate-source environment-program.ts WEBSITES CONFIG_MAPS   (0 0: starts alone)
import type { Environment } from "tidegate/testing";

/** What the testing kit takes. */
export interface EnvironmentCost {
  /** To load the kit and the controller. */
  readonly importMs: number;
  /** Of the first `startEnvironment` of the process, and of the next one. */
  readonly firstStartMs: number;
  readonly nextStartMs: number;
  readonly websites: RunsCost;
  readonly configMaps: RunsCost;
}

/** Runs of the reconciler, and the time that they took with all that they set off. */
interface RunsCost {
  readonly runs: number;
  readonly ms: number;
}

/** Virtual time in which each ConfigMap is reconciled once a second. */
const POLLED_MS = 10_000;

const beforeImport = performance.now();
const { startEnvironment } = await import("tidegate/testing");
const { websiteController } = await import("../../functions/website/controller.ts");
const { websiteReconciler } = await import("../../functions/website/reconciler.ts");
const { crd, Website } = await import("../../functions/website/resource.ts");
const importMs = performance.now() - beforeImport;
const definition = crd();
const dns = { owns: () => true, point: async () => {}, remove: async () => {} };

const first = await started();
await first.env.stop();
const next = await started();
const [websiteCount = 0, configMapCount = 0] = process.argv.slice(2).map(Number);
const websites = await reconciled(next.env, websiteCount);
await next.env.stop();
const configMaps = await polled(configMapCount);
const starts = { firstStartMs: first.ms, nextStartMs: next.ms };
const cost: EnvironmentCost = { importMs, ...starts, websites, configMaps };
process.stdout.write(JSON.stringify(cost));

async function started(): Promise<{ readonly env: Environment; readonly ms: number }> {
  const startedMs = performance.now();
  const env = await startEnvironment({
    controllers: [[websiteController, websiteReconciler(dns)]],
    crds: [definition],
    idempotent: false, // Its second runs are not counted.
  });
  return { env, ms: performance.now() - startedMs };
}

/** Each Website makes a Deployment and a Service, pods come to life, and it writes its status. */
async function reconciled(env: Environment, count: number): Promise<RunsCost> {
  const startedMs = performance.now();
  for (let index = 0; index < count; index += 1) {
    const name = `web-${index}`;
    const spec = { host: `${name}.example.com`, image: "nginx:1.29", replicas: 1 };
    await env.apply(Website, { metadata: { name }, spec });
  }
  await env.settled();
  return { runs: env.runs(websiteController).length, ms: performance.now() - startedMs };
}

/** A reconciler that only looks, by a timer: what a run itself takes. */
async function polled(count: number): Promise<RunsCost> {
  if (count === 0) return { runs: 0, ms: 0 };
  const { ConfigMap, defineController } = await import("tidegate");
  const polling = defineController({
    name: "polling",
    for: ConfigMap,
    maxConcurrentReconciles: 50,
  });
  const reconcile = async () => ({ requeueAfterSeconds: 1 });
  const env = await startEnvironment({
    controllers: [[polling, { reconcile }]],
    idempotent: false,
  });
  for (let index = 0; index < count; index += 1) {
    await env.create(ConfigMap, { metadata: { name: `config-${index}` } });
  }
  await env.settled();
  const before = env.runs().length;
  const startedMs = performance.now();
  await env.advance(POLLED_MS);
  const cost = { runs: env.runs().length - before, ms: performance.now() - startedMs };
  await env.stop();
  return cost;
}
