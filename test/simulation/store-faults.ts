import { type ActKind, actKind } from "./act.ts";
import { CONTROLLERS } from "./controllers.ts";
import { gadgetName, NAMESPACE } from "./objects.ts";

const OPERATIONS = ["read", "start", "end", "due", "clearTimer", "list"] as const;
const WRITES = ["start", "end", "clearTimer"] as const;
const NAMES = CONTROLLERS.map(({ name }) => name);

/** What befalls the table: records, timers and the lease. */
export const STORE_FAULTS: readonly ActKind[] = [
  actKind({
    name: "table throttled",
    weight: 4,
    draw: (draws) => ({ operation: draws.pick(OPERATIONS), times: draws.between(1, 10) }),
    play: ({ platform }, { operation, times }) => platform.store.failNext(operation, { times }),
  }),
  actKind({
    name: "written but answered with an error",
    weight: 4,
    draw: (draws) => ({ operation: draws.pick(WRITES), times: draws.between(1, 2) }),
    play: ({ platform }, { operation, times }) =>
      platform.store.failNext(operation, { times, when: "after" }),
  }),
  actKind({
    name: "keys left unread",
    weight: 2,
    draw: (draws, { gadgets }) => ({
      controller: draws.pick(NAMES),
      gadget: draws.between(0, gadgets - 1),
      ms: draws.pick([500, 5_000, 90_000]),
    }),
    play: (world, { controller, gadget, ms }) => {
      const { store } = world.platform;
      const key = { cluster: "main", namespace: NAMESPACE, name: gadgetName(gadget) };
      store.leaveUnread({ ...key, controller });
      world.after(ms, () => store.readAgain());
    },
  }),
  actKind({
    name: "table slow",
    weight: 1,
    draw: (draws) => ({ factor: draws.pick([10, 50]), ms: draws.pick([5_000, 30_000]) }),
    play: (world, { factor, ms }) => {
      world.platform.slowness = factor;
      world.after(ms, () => {
        world.platform.slowness = 1;
      });
    },
  }),
  actKind({
    name: "lease out of order",
    weight: 2,
    draw: (draws) => ({
      answer: draws.pick(["error", "silence"] as const),
      happens: draws.chance(0.5),
      ms: draws.pick([1_000, 6_000, 14_000, 40_000]),
    }),
    play: (world, { answer, happens, ms }) => {
      world.platform.leaseFault = { answer, happens };
      world.after(ms, () => {
        delete world.platform.leaseFault;
      });
    },
  }),
];
