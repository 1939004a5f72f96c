import type { PlatformProcess } from "../../shared/testing/platform-process.ts";
import { type ActKind, actKind } from "./act.ts";
import { CONTROLLERS } from "./controllers.ts";
import type { Replica } from "./platform.ts";
import type { World } from "./world.ts";

/** Of an invocation: before its start is written, while it reads, while it writes, or later. */
const MOMENTS_MS = [0, 5, 20, 40, 70, 110, 1_000];

const NAMES = CONTROLLERS.map(({ name }) => name);

/** What befalls processes and their machines; and what a deploy does. */
export const PROCESS_FAULTS: readonly ActKind[] = [
  actKind({
    name: "function killed",
    weight: 4,
    draw: (draws) => ({ controller: draws.pick(NAMES), afterMs: draws.pick(MOMENTS_MS) }),
    play: (world, { controller, afterMs }) => {
      const kill = () => world.platform.functions.get(controller)?.kill();
      world.platform.atNextInvocation(controller, () => world.after(afterMs, kill));
    },
  }),
  actKind({
    name: "function frozen",
    weight: 4,
    draw: (draws) => ({
      controller: draws.pick(NAMES),
      afterMs: draws.pick(MOMENTS_MS),
      ms: draws.pick([1_000, 9_000, 12_000, 20_000, 120_000]),
      lateKillMs: draws.pick([0, 100, 4_000]),
    }),
    play: (world, { controller, afterMs, ...frozen }) => {
      world.platform.atNextInvocation(controller, (process) =>
        world.after(afterMs, () => freeze(world, process, frozen)),
      );
    },
  }),
  actKind({
    name: "watcher killed",
    weight: 3,
    draw: (draws) => ({
      replica: draws.between(0, 9),
      downMs: draws.pick([0, 1_000, 20_000, 120_000]),
    }),
    play: (world, { replica, downMs }) => {
      const killed = replicaOf(world, replica);
      if (!killed) return;
      world.platform.killWatcher(killed);
      world.after(downMs, () => void world.platform.startWatcher());
    },
  }),
  actKind({
    name: "all watchers killed",
    weight: 1,
    draw: (draws) => ({ downMs: draws.pick([1_000, 60_000, 400_000]) }),
    play: (world, { downMs }) => {
      const { platform } = world;
      for (let [first] = platform.replicas; first; [first] = platform.replicas) {
        platform.killWatcher(first);
      }
      world.after(downMs, () => void platform.startWatcher());
    },
  }),
  actKind({
    name: "watcher paused",
    weight: 4,
    draw: (draws) => ({
      replica: draws.between(0, 9),
      ms: draws.pick([2_000, 9_000, 14_000, 17_000, 60_000, 300_000]),
    }),
    play: (world, { replica, ms }) => {
      const process = replicaOf(world, replica)?.process;
      if (!process || !world.freeze(process)) return;
      process.freeze();
      world.after(ms, () => world.thaw(process));
    },
  }),
  actKind({
    name: "wall clock stepped",
    weight: 3,
    draw: (draws) => ({
      replica: draws.between(0, 9),
      ms: draws.pick([-3_600_000, -60_000, -2_000, 2_000, 60_000, 3_600_000]),
    }),
    play: (world, { replica, ms }) => replicaOf(world, replica)?.clock.step(ms),
  }),
  actKind({
    name: "deploy",
    weight: 3,
    draw: (draws) => ({
      controller: draws.pick(NAMES),
      revision: `r${draws.between(1, 4)}`,
      lateMs: draws.pick([0, 500, 20_000]),
    }),
    play: (world, { controller, revision, lateMs }) => {
      const { platform } = world;
      platform.deploy(controller, revision);
      world.after(lateMs, () => void platform.tellRevision(controller));
    },
  }),
];

function freeze(
  world: World,
  process: PlatformProcess,
  { ms, lateKillMs }: { readonly ms: number; readonly lateKillMs: number },
): void {
  if (process.killed || !world.freeze(process)) return;
  process.stall();
  world.after(ms, () => {
    world.thaw(process);
    // It was to be killed meanwhile, but goes on until the kill arrives.
    if (process.killed) world.after(lateKillMs, () => process.kill());
  });
}

function replicaOf({ platform: { replicas } }: World, index: number): Replica | undefined {
  return replicas[index % replicas.length];
}
