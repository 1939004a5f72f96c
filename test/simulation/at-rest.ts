import { ConfigMap } from "../../shared/api/kinds.ts";
import { CONTROLLERS, childOf } from "./controllers.ts";
import type { Run } from "./history.ts";
import { Gadget, type Ticker } from "./kinds.ts";
import { NAMESPACE } from "./objects.ts";
import { patch } from "./user-acts.ts";
import { CHILDREN, GADGETS, TICKERS, type World } from "./world.ts";

/** So long nothing happens but what has to. */
const REST_MS = 1_200_000;
/** So long a watcher that starts anew may take until it has found what changed. */
const RESTART_MS = 60_000;
/** So long a new revision may take to run all objects, none of which fails. */
const DEPLOY_MS = 1_800_000;
/** As the platform names its cluster. */
const CLUSTER = "main";
/** So long one object fails until it is repaired: the message then waits a minute or so. */
const BROKEN_MS = 100_000;
/** A change and its run take a moment; machines are a little slow. */
const AT_ONCE_MS = 10_000;
/** A timer is due to the second, and a run takes a moment; machines are a little slow. */
const TIMER_SLACK_MS = 6_000;

/**
 * What must be seen once all is as desired and nobody does anything: one object that fails for
 * good keeps its backoff, timers fire on and on, and nothing else runs. Then a restart finds the one
 * child that was deleted meanwhile, and runs nothing else. Then a new revision runs every object
 * once.
 */
export async function checkAtRest(world: World): Promise<void> {
  const { clock, history } = world;
  await checkWoken(world);
  const broken = await breakOne(world);
  const startMs = clock.monotonicMs();
  const before = history.runs.length;
  await clock.advance(REST_MS);
  const runs = history.runs.slice(before);
  checkBackoff(world, runs, broken);
  checkTimers(world, runs, startMs);
  checkSuperfluous(world, runs, broken);
  if (broken) await patch(world, Gadget, broken, { spec: { broken: false } });
  await clock.advance(RESTART_MS);
  await checkRestart(world);
  await checkDeploy(world);
}

function gadgets(world: World): readonly Gadget[] {
  return world.objects(GADGETS) as unknown as readonly Gadget[];
}

async function breakOne(world: World): Promise<string | undefined> {
  const name = gadgets(world)[0]?.metadata.name;
  if (name !== undefined) await patch(world, Gadget, name, { spec: { broken: true } });
  return name;
}

/** What is repaired runs at once, and does not wait out its backoff. */
async function checkWoken(world: World): Promise<void> {
  const { clock, history } = world;
  const name = await breakOne(world);
  if (name === undefined) return;
  await clock.advance(BROKEN_MS);
  await patch(world, Gadget, name, { spec: { broken: false } });
  await clock.advance(AT_ONCE_MS);
  const last = history.runsOf("builder", `${NAMESPACE}/${name}`).at(-1);
  if (last?.ended !== "well")
    history.violate("a change comes at once", `${name} waits for its backoff`);
  await clock.advance(RESTART_MS);
}

/** 1 s, doubling to 1,000 s, at least half of it waited. Each failure writes another status. */
function checkBackoff({ history }: World, runs: readonly Run[], name: string | undefined): void {
  const failed = runs.filter((run) => run.controller === "builder" && nameOf(run) === name);
  for (const [index, run] of failed.entries()) {
    const previous = failed[index - 1];
    if (!previous) continue;
    const least = 0.49 * Math.min(1_000_000, 1_000 * 2 ** (index - 1));
    const waited = run.startedMs - previous.startedMs;
    if (waited >= least) continue;
    const text = `${name} ran again ${waited} ms after failure ${index}, expected ${least} at least`;
    history.violate("a failing run keeps its backoff", text);
    return;
  }
  // The backoffs up to 256 s fit in whatever their jitter.
  if (name === undefined || failed.length >= 9) return;
  history.violate("no timer lost", `${name} failed ${failed.length} times only in ${REST_MS} ms`);
}

function checkTimers(world: World, runs: readonly Run[], startMs: number): void {
  for (const { metadata, spec } of world.objects(TICKERS) as unknown as readonly Ticker[]) {
    const ticks = runs.filter(
      (run) => run.controller === "ticking" && nameOf(run) === metadata.name,
    );
    const periodMs = 1_000 * spec.seconds;
    const least = Math.floor(REST_MS / (periodMs + TIMER_SLACK_MS)) - 1;
    const most = Math.ceil(REST_MS / (periodMs - 500)) + 1;
    if (ticks.length >= least && ticks.length <= most) continue;
    const range = `${least} to ${most}`;
    const text = `${metadata.name} ran ${ticks.length} times since ${startMs} ms, expected ${range}`;
    world.history.violate(ticks.length < least ? "no timer lost" : "superfluous runs", text);
  }
}

/** At rest only timers, and what fails, run; the inspector sees each status of the latter. */
function checkSuperfluous(
  { history }: World,
  runs: readonly Run[],
  broken: string | undefined,
): void {
  const others = runs.filter((run) => run.controller !== "ticking" && nameOf(run) !== broken);
  for (const { controller, key } of others.slice(0, 3)) {
    history.violate("superfluous runs", `${controller} ran ${key} at rest`);
  }
  const ofBroken = runs.filter((run) => run.controller !== "ticking" && nameOf(run) === broken);
  const failed = ofBroken.filter((run) => run.controller === "builder").length;
  if (ofBroken.length <= 3 * failed + 2) return;
  const text = `${ofBroken.length} runs for ${failed} failures of ${broken}`;
  history.violate("superfluous runs", text);
}

/** A child that was deleted while nobody watched is back, and that costs one run. */
async function checkRestart(world: World): Promise<void> {
  const { platform, clock, history, cluster } = world;
  for (let [first] = platform.replicas; first; [first] = platform.replicas) {
    platform.killWatcher(first);
  }
  await clock.advance(1_000);
  const [gadget] = gadgets(world).slice(-1);
  const name = childOf(gadget?.metadata.name ?? "");
  if (gadget) await cluster.client.delete(ConfigMap, { namespace: NAMESPACE, name });
  const before = history.runs.length;
  const doubted = await doubtedKeys(world);
  platform.startWatcher();
  await clock.advance(RESTART_MS);
  const runs = history.runs
    .slice(before)
    .filter(({ controller }) => controller !== "ticking")
    // Once, for its message is gone.
    .filter(({ controller, key }) => !doubted.delete(`${controller} ${key}`));
  for (const { controller, key } of runs.filter((run) => nameOf(run) !== gadget?.metadata.name)) {
    history.violate("superfluous runs", `${controller} ran ${key} after a restart`);
  }
  if (!gadget) return;
  if (!world.objects(CHILDREN).some(({ metadata }) => metadata.name === name)) {
    history.violate("children deleted during downtime are back", `${name} is not`);
  }
  if (runs.length > 2) {
    history.violate("superfluous runs", `${runs.length} runs for one child`);
  }
}

/**
 * Keys of a run that never ended, because of what befell its process or its calls: nobody knows what
 * it left. Where nothing befell it, the end is missing.
 */
async function doubtedKeys({ platform, history, clock }: World): Promise<Set<string>> {
  const found = new Set<string>();
  for (const controller of CONTROLLERS.map(({ name }) => name)) {
    for await (const page of platform.store.list({ cluster: CLUSTER, controller })) {
      for (const { key, record } of page) {
        const { runId, runUntil = 0 } = record;
        if (runId === undefined || runUntil > clock.nowMs()) continue;
        const who = `${controller} ${key.namespace}/${key.name}`;
        if (platform.started.befallen(runId)) found.add(who);
        else history.violate("every run ends", `${who}: ${runId} did not, and nothing befell it`);
      }
    }
  }
  return found;
}

/** A new revision runs each object, and once. */
async function checkDeploy(world: World): Promise<void> {
  const { platform, clock, history } = world;
  const revision = "r-last";
  platform.deploy("builder", revision);
  await platform.tellRevision("builder");
  const before = history.runs.length;
  const missing = () => {
    const ran = new Set(history.runs.slice(before).map(({ key }) => key));
    return gadgets(world).find(({ metadata }) => !ran.has(`${NAMESPACE}/${metadata.name}`));
  };
  const untilMs = clock.monotonicMs() + DEPLOY_MS;
  while (missing() && clock.monotonicMs() < untilMs) await clock.advance(RESTART_MS);
  await clock.advance(RESTART_MS);
  const left = missing()?.metadata.name;
  if (left) history.violate("new code runs everything", `${left} did not run by ${revision}`);
  const runs = history.runs.slice(before).filter(({ controller }) => controller !== "ticking");
  const counts = Map.groupBy(runs, ({ controller, key }) => `${controller} ${key}`);
  for (const [who, all] of counts) {
    const { length } = all;
    const most = all.some(slow) ? 2 : 1;
    if (length > most)
      history.violate("superfluous runs", `${who} ran ${length} times by a deploy`);
  }
}

/** It went on while the records were looked through again: then its object runs once more, in doubt. */
function slow({ startedMs, endedMs = startedMs }: Run): boolean {
  return endedMs - startedMs > 1_000;
}

function nameOf({ key }: Run): string {
  return key.slice(key.indexOf("/") + 1);
}
