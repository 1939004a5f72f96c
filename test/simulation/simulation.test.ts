import { expect, jest, test } from "@jest/globals";
import { SMALL } from "./scales.ts";
import { simulate } from "./simulation.ts";

jest.setTimeout(60_000);

test.each([1, 2, 3, 4, 5, 6])(
  "seed %i: whatever befalls it, all is as it has to be in the end",
  async (seed) => {
    const { violations, runs } = await simulate({ seed, scale: SMALL });
    expect(violations).toEqual([]);
    expect(runs).toBeGreaterThan(SMALL.gadgets);
  },
);

test("the same seed is the same simulation, event by event", async () => {
  const scale = { ...SMALL, minutes: 2 };
  const one = await simulate({ seed: 7, scale });
  const again = await simulate({ seed: 7, scale });
  const other = await simulate({ seed: 8, scale });
  expect(again.hash).toBe(one.hash);
  expect(other.hash).not.toBe(one.hash);
});
