import { FAILED_RUNS } from "../../watcher/revision-guard.ts";
import type { Act, Scale } from "./act.ts";
import { checkAtRest } from "./at-rest.ts";
import { checkChanges } from "./change-checkers.ts";
import { faultsOf } from "./final-state.ts";
import type { Run, Violation } from "./history.ts";
import { Gadget, Setting, Ticker } from "./kinds.ts";
import { gadgetName, gadgetSpec, settingName, tickerName } from "./objects.ts";
import { kindOf, planOf } from "./plan.ts";
import { patch, write } from "./user-acts.ts";
import { GADGETS, World, type WorldOptions } from "./world.ts";

export interface SimulationOptions extends WorldOptions {
  readonly scale: Scale;
  /** What the outside does, instead of what the seed draws. */
  readonly plan?: readonly Act[] | undefined;
  /** So long after the last fault all must be well; default an hour. */
  readonly healMs?: number | undefined;
}

export interface SimulationResult {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly plan: readonly Act[];
  /** Of all that happened. */
  readonly hash: string;
  readonly events: number;
  /** Made by users, one after the other. */
  readonly objects: number;
  readonly changes: number;
  readonly runs: number;
  /** Of the runs: those that something put an end to. */
  readonly killed: number;
  readonly virtualMs: number;
}

/** The longest backoff, and more. */
const HEAL_MS = 3_600_000;

/** The longest that a fault lasts: then the last batch was delivered twice, and the last process goes on. */
const LEFT_MS = 420_000;

/** Simulates one seed from its first object to rest. Each time exactly the same. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const { seed, scale, healMs = HEAL_MS } = options;
  const plan = options.plan ?? options.dont?.plan ?? planOf(seed, scale);
  const world = new World(options);
  try {
    await world.start();
    checkChanges(world);
    await populate(world, scale);
    await play(world, plan);
    await heal(world);
    await settle(world, healMs);
    if (world.history.violations.length === 0) {
      await world.clock.advance(LEFT_MS);
      await checkAtRest(world);
      await settle(world, healMs);
    }
  } finally {
    world.platform.stop();
    await world.clock.advance(0);
    world.cluster.api.close();
  }
  const { log, history } = world;
  return {
    seed,
    violations: history.violations,
    plan,
    hash: log.digest(),
    events: log.count,
    objects: world.made,
    changes: log.counts.get("change") ?? 0,
    runs: history.runs.length,
    killed: history.runs.filter(({ ended }) => ended === undefined).length,
    virtualMs: world.clock.monotonicMs(),
  };
}

async function populate(world: World, scale: Scale): Promise<void> {
  const { draws, platform, clock } = world;
  const some = draws.fork("population");
  for (let index = 0; index < scale.settings; index += 1) {
    await write(world, Setting, settingName(index), { value: some.between(0, 99) });
  }
  for (let index = 0; index < scale.gadgets; index += 1) {
    const spec = gadgetSpec(some.between(0, 99), some.between(0, scale.settings - 1));
    await write(world, Gadget, gadgetName(index), spec);
  }
  for (let index = 0; index < scale.tickers; index += 1) {
    await write(world, Ticker, tickerName(index), { seconds: some.pick([5, 30, 120]) });
  }
  platform.startWatcher();
  platform.startWatcher();
  await clock.advance(0);
}

async function play(world: World, plan: readonly Act[]): Promise<void> {
  const { clock, log, history } = world;
  const startMs = clock.monotonicMs();
  for (const act of plan) {
    const waitMs = startMs + act.atMs - clock.monotonicMs();
    if (waitMs > 0) await clock.advance(waitMs);
    if (history.violations.length > 0) return;
    log.add("act", `${act.name} ${JSON.stringify(act.details)}`);
    await kindOf(act).play(world, act.details as never);
  }
}

async function heal(world: World): Promise<void> {
  for (const { metadata, spec } of world.objects(GADGETS) as unknown as readonly Gadget[]) {
    if (spec.broken) await patch(world, Gadget, metadata.name, { spec: { broken: false } });
  }
  world.stuck.clear();
  world.cluster.heal();
  world.platform.heal();
}

/** A revision that was stopped, for good reason, waits for the next one. */
async function repairCode({ platform, history }: World): Promise<void> {
  for (const controller of platform.stopped) {
    const revision = platform.revisions.get(controller) ?? "";
    const failed = history.runs.filter(
      (run) => run.controller === controller && run.revision === revision && !endedWell(run),
    );
    if (failed.length < FAILED_RUNS) {
      const text = `${revision} of ${controller} was stopped after ${failed.length} failures`;
      history.violate("new code runs everything", text);
    }
    platform.deploy(controller, `${revision} repaired`);
    platform.stopped.delete(controller);
    await platform.tellRevision(controller);
  }
}

function endedWell({ ended }: Run): boolean {
  return ended === "well" || ended === "requeue";
}

/** Waits until all is as it has to be; what is not in time is a violation. */
async function settle(world: World, healMs: number): Promise<void> {
  const { clock, history } = world;
  const untilMs = clock.monotonicMs() + healMs;
  for (let stepMs = 5_000; history.violations.length === 0; stepMs *= 1.2) {
    await repairCode(world);
    const [fault] = faultsOf(world);
    if (!fault) return;
    if (clock.monotonicMs() >= untilMs) {
      for (const { checker, text } of faultsOf(world)) history.violate(checker, text);
      return;
    }
    await clock.advance(Math.ceil(stepMs));
  }
}
