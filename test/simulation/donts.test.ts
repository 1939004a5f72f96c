import { expect, jest, test } from "@jest/globals";
import { DONTS, type Dont, type DontName } from "./donts.ts";
import { SMALL } from "./scales.ts";
import { shrink } from "./shrink.ts";
import { simulate } from "./simulation.ts";

// That a checker can fail: each rule that is broken on purpose is found, here by the first seed that finds it.

jest.setTimeout(60_000);

/** Well above the backoffs that these seeds meet. */
const HEAL_MS = 600_000;

const found = (name: DontName, seed: number) => {
  const dont: Dont = DONTS[name];
  return { seed, scale: SMALL, healMs: HEAL_MS, dont };
};

test.each<[DontName, number, string]>([
  ["bare key as id", 1, "last run saw the last version"],
  ["finalizer removed first", 1, "finalizer goes last"],
  ["status replaced whole", 1, "conditions of two controllers"],
])("%s: seed %i finds it", async (name, seed, checker) => {
  const { violations } = await simulate(found(name, seed));
  expect(violations.map((each) => each.checker)).toContain(checker);
});

test("acts that do not matter are left out", async () => {
  const options = found("finalizer removed first", 1);
  const all = await simulate(options);
  const least = await shrink({ ...options, enough: () => false }, all);
  expect(least.violations[0]?.checker).toBe("finalizer goes last");
  expect(least.plan.map(({ name }) => name)).toEqual(["gadget deleted"]);
});
