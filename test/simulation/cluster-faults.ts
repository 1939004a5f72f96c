import { type ActKind, actKind } from "./act.ts";

const KINDS = ["read", "write", "watch"] as const;

/** What befalls the API server, and connections to it. */
export const CLUSTER_FAULTS: readonly ActKind[] = [
  actKind({
    name: "watches lost",
    weight: 3,
    draw: () => ({}),
    play: ({ cluster }) => cluster.cutWatches(),
  }),
  actKind({
    name: "watches half open",
    weight: 3,
    draw: () => ({}),
    play: ({ cluster }) => cluster.silenceWatches(),
  }),
  actKind({
    name: "history compacted (410)",
    weight: 2,
    draw: (draws) => ({ lost: draws.chance(0.7) }),
    play: ({ cluster }, { lost }) => {
      if (lost) cluster.cutWatches();
      cluster.api.store.compact();
    },
  }),
  actKind({
    name: "API server restarted",
    weight: 3,
    draw: (draws) => ({
      downMs: draws.pick([0, 2_000, 15_000, 90_000]),
      compacts: draws.chance(0.5),
    }),
    play: (world, { downMs, compacts }) => {
      const { cluster } = world;
      cluster.stop();
      if (compacts) cluster.api.store.compact();
      world.after(downMs, () => cluster.start());
    },
  }),
  actKind({
    name: "call conflicted (409)",
    weight: 2,
    draw: (draws) => ({ times: draws.between(1, 8) }),
    play: ({ cluster }, { times }) =>
      cluster.failNext({ of: "write", when: "before", answer: 409 }, times),
  }),
  actKind({
    name: "call refused (429, 500, 503)",
    weight: 4,
    draw: (draws) => ({
      of: draws.pick(KINDS),
      answer: draws.pick([429, 500, 503]),
      times: draws.between(1, 6),
    }),
    play: ({ cluster }, { of, answer, times }) =>
      cluster.failNext({ of, when: "before", answer }, times),
  }),
  actKind({
    name: "call lost",
    weight: 4,
    draw: (draws) => ({
      of: draws.pick(KINDS),
      when: draws.pick(["before", "after"] as const),
      times: draws.between(1, 3),
    }),
    play: ({ cluster }, { of, when, times }) =>
      cluster.failNext({ of: when === "after" ? "write" : of, when, answer: "lost" }, times),
  }),
  actKind({
    name: "call hung",
    weight: 2,
    draw: (draws) => ({ of: draws.pick(KINDS), times: draws.between(1, 2) }),
    play: ({ cluster }, { of, times }) =>
      cluster.failNext({ of, when: "before", answer: "never" }, times),
  }),
  actKind({
    name: "API server slow",
    weight: 2,
    draw: (draws) => ({ factor: draws.pick([20, 200]), ms: draws.pick([5_000, 30_000]) }),
    play: (world, { factor, ms }) => {
      world.cluster.slowness = factor;
      world.after(ms, () => {
        world.cluster.slowness = 1;
      });
    },
  }),
];
