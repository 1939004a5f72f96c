import { expect, jest, test } from "@jest/globals";
import type { Scale } from "./act.ts";
import { DONTS, type Dont, type DontName } from "./donts.ts";
import { SMALL } from "./scales.ts";
import { shrink } from "./shrink.ts";
import { simulate } from "./simulation.ts";

// That a checker can fail: each rule that is broken on purpose is found, here by the first seed that
// finds it.

jest.setTimeout(60_000);

/** Well above the backoffs that these seeds meet. */
const HEAL_MS = 600_000;

/** Nothing happens to it but what is done to every simulation at rest. */
const QUIET: Scale = { ...SMALL, gadgets: 4, minutes: 1, changesPerMinute: 0, faultsPerMinute: 0 };

const broken = (name: DontName, seed: number, scale = SMALL) => {
  const dont: Dont = DONTS[name];
  return { seed, scale: { ...scale, ...dont.scale }, healMs: HEAL_MS, dont };
};

test.each<[DontName, number, string]>([
  ["bare key as id", 2, "last run saw the last version"],
  ["epoch read from a cache", 2, "last run saw the last version"],
  ["acknowledged before the end", 2, "last run saw the last version"],
  ["lock taken while its run lives", 1, "one run at a time"],
  ["safety timer left out", 2, "no timer lost"],
  ["lock kept at the end", 1, "every run ends"],
  ["last version in seen", 5, "last run saw the last version"],
  ["finalizer not removed", 1, "deletions end"],
  ["finalizer removed first", 1, "finalizer goes last"],
  ["status replaced whole", 1, "conditions of two controllers"],
  ["deletion not seen", 1, "nothing reconciled that is being deleted"],
])("%s: seed %i finds it", async (name, seed, checker) => {
  const { violations } = await simulate(broken(name, seed));
  expect(violations.map((each) => each.checker)).toContain(checker);
});

test.each<[DontName, string]>([
  ["retry not woken", "a change comes at once"],
  ["starts of one controller not written", "queue empty"],
  ["good runs taken for failed", "new code runs everything"],
  ["failures forgotten", "a failing run keeps its backoff"],
  ["timers not fired", "no timer lost"],
  ["nothing covered", "superfluous runs"],
  ["own writes left out of seen", "superfluous runs"],
  ["no backfill after a restart", "children deleted during downtime are back"],
  ["new revision not told", "new code runs everything"],
])("%s: found even where nothing goes wrong", async (name, checker) => {
  const { violations } = await simulate(broken(name, 1, QUIET));
  expect(violations.map((each) => each.checker)).toContain(checker);
});

test.each<[DontName, number, string]>([
  ["expired lock taken for a free one", 1, "as desired"],
  ["timer cleared at the start of a run", 2, "no timer lost"],
])(
  "%s: seed %i finds it by its plan, which leads nowhere with the right code",
  async (name, seed, checker) => {
    const { dont, ...right } = broken(name, seed);
    const { violations } = await simulate({ ...right, dont });
    expect(violations.map((each) => each.checker)).toContain(checker);
    const { plan } = dont;
    if (!plan) throw new Error("expected a plan");
    expect((await simulate({ ...right, plan })).violations).toEqual([]);
  },
);

test("acts that do not matter are left out", async () => {
  const options = broken("finalizer removed first", 1);
  const all = await simulate(options);
  const least = await shrink({ ...options, enough: () => false }, all);
  expect(least.violations[0]?.checker).toBe("finalizer goes last");
  expect(least.plan.map(({ name }) => name)).toEqual(["gadget deleted"]);
});
