import { expect, jest, test } from "@jest/globals";
import { SMALL } from "./scales.ts";
import { simulate } from "./simulation.ts";

jest.setTimeout(60_000);

const hashes = new Map<number, string>();

test.each([1, 2, 3, 4])(
  "seed %i: whatever befalls it, all is as it has to be in the end",
  async (seed) => {
    const { violations, runs, hash } = await simulate({ seed, scale: SMALL });
    expect(violations).toEqual([]);
    expect(runs).toBeGreaterThan(SMALL.gadgets);
    hashes.set(seed, hash);
  },
);

test("the same seed is the same simulation, event by event", async () => {
  const { hash } = await simulate({ seed: 4, scale: SMALL });
  expect(hash).toBe(hashes.get(4));
  expect(new Set(hashes.values()).size).toBe(4);
});

test("an object that fails and is changed all the time leaves nothing in the dead-letter queue", async () => {
  const few = { gadgets: 2, changesPerMinute: 20, faults: ["API server slow"] };
  const { violations } = await simulate({ seed: 4, scale: { ...SMALL, ...few } });
  expect(violations).toEqual([]);
});

test("the next revision runs also what died and is not tried again", async () => {
  const faults = ["duplicate delivery", "function killed", "function frozen", "deploy"];
  const few = { changesPerMinute: 1, faultsPerMinute: 10, faults };
  const { violations } = await simulate({ seed: 1, scale: { ...SMALL, ...few } });
  expect(violations).toEqual([]);
});

test("a machine that goes on after its deadline leaves nothing behind of what was deleted meanwhile", async () => {
  const faults = ["duplicate delivery", "function killed", "function frozen"];
  const few = { gadgets: 2, tickers: 12, changesPerMinute: 1, faultsPerMinute: 20 };
  const { violations } = await simulate({ seed: 3, scale: { ...SMALL, ...few, faults } });
  expect(violations).toEqual([]);
});
