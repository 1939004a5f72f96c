import { expect, test } from "@jest/globals";
import { explore, type System } from "./explore.ts";
import { HashSet } from "./hash-set.ts";
import { protocol } from "./protocol.ts";
import { DONTS } from "./rules.ts";
import { LOSSES, SCENARIOS } from "./scenarios.ts";
import { without } from "./steps.ts";

/** On a busy machine; a state takes some hundredth of a millisecond. */
const LIMIT_MS = 120_000;
const MOST = { maxStates: 500_000 };
/** The others take longer. */
const QUICK = /^(bare key|epoch raised|timer's|last version|lock taken)/;

test.each(SCENARIOS)(
  "no change is lost and no two runs overlap: $name",
  ({ small }) => {
    expect(explore(protocol(small), MOST)).toMatchObject({ complete: true });
  },
  LIMIT_MS,
);

test.each(LOSSES)(
  "what the protocol forbids has a trace that shows why: $name",
  (rules) => {
    const what =
      rules.dont === "lock taken while its run lives" ? "two runs of the key at once" : /^lost: /;
    const { fault } = explore(protocol(rules), MOST);
    expect(fault?.what).toMatch(what);
  },
  LIMIT_MS,
);

test("each thing that is forbidden is shown to lose something", () => {
  expect(LOSSES.map(({ dont }) => dont)).toEqual(DONTS);
});

test.each(LOSSES.filter(({ dont = "" }) => QUICK.test(dont)))(
  "the same without what is forbidden loses nothing: $name",
  (rules) => {
    expect(explore(protocol(without(rules, "dont")), MOST)).toMatchObject({ complete: true });
  },
  LIMIT_MS,
);

/** Counts to ten by ones and twos; wrong at seven. */
const counting: System<number> = {
  initial: 0,
  next: (state) =>
    state < 10
      ? [
          ["one", state + 1],
          ["two", state + 2],
        ]
      : [],
  keyOf: String,
  faultOf: (state, last) => (state === 7 ? "seven" : last && state > 10 ? "over" : undefined),
  atRest: (state) => state >= 10,
};

test("an exploration ends at the nearest fault, with the way to it", () => {
  const { fault } = explore(counting, MOST);
  expect(fault).toEqual({ what: "seven", trace: ["one", "two", "two", "two"] });
});

test("an exploration looks at every state once, and says whether it saw all", () => {
  const well: System<number> = { ...counting, faultOf: () => undefined };
  expect(explore(well, MOST)).toEqual({ states: 12, steps: 20, complete: true });
  expect(explore(well, { maxStates: 5 })).toMatchObject({ states: 5, complete: false });
});

test("an exploration finds what goes round for ever and never comes to rest", () => {
  const round: System<number> = {
    ...counting,
    next: (state) => (state === 5 ? [["stays", state]] : counting.next(state)),
    faultOf: () => undefined,
  };
  const { fault } = explore(round, MOST);
  expect(fault).toMatchObject({
    what: expect.stringMatching(/^stuck: /),
    trace: ["one", "two", "two"],
  });
});

test("a set of hashes knows what it has, however many there are", () => {
  const set = new HashSet();
  const texts = Array.from({ length: 200_000 }, (_, at) => `state ${at} of many`);
  expect(texts.every((text, at) => set.indexOf(text) === at)).toBe(true);
  expect(texts.every((text, at) => set.indexOf(text) === at)).toBe(true);
  expect(set.size).toBe(200_000);
});
