import { type ActKind, actKind } from "./act.ts";
import { CONTROLLERS } from "./controllers.ts";
import type { Replica } from "./platform.ts";
import type { World } from "./world.ts";

const NAMES = CONTROLLERS.map(({ name }) => name);

/** What befalls processes and their machines. */
export const PROCESS_FAULTS: readonly ActKind[] = [
  actKind({
    name: "function killed",
    weight: 4,
    draw: (draws) => ({ controller: draws.pick(NAMES) }),
    play: ({ platform }, { controller }) => platform.functions.get(controller)?.kill(),
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
];

function replicaOf({ platform: { replicas } }: World, index: number): Replica | undefined {
  return replicas[index % replicas.length];
}
