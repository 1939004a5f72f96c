import { type Dont, NOTHING, type Rules } from "./rules.ts";
import type { Budget } from "./state.ts";

/** What is explored, and how much of it: a small bound in seconds, the full one in minutes. */
export interface Scenario {
  readonly name: string;
  readonly small: Rules;
  readonly full: Rules;
}

type Setting = Partial<Omit<Rules, "name" | "budget">>;
type Spent = Partial<Budget>;

function scenario(name: string, setting: Setting, small: Spent, full: Spent): Scenario {
  return { name, small: rules(name, setting, small), full: rules(name, setting, full) };
}

function rules(name: string, setting: Setting, budget: Spent): Rules {
  return {
    name,
    acts: "observes",
    fingerprints: "content",
    status: false,
    exists: [],
    watchers: 1,
    leaders: 1,
    workers: 1,
    batch: 2,
    ...setting,
    budget: { ...NOTHING, ...budget },
  };
}

const TWO_WATCHERS = { watchers: 2, leaders: 2 };
const TWO_WORKERS = { workers: 2 };
const APPLIES = { acts: "applies" } as const;
const PRIMARY: Setting = { exists: ["primary"] };
const BOTH: Setting = { exists: ["primary", "secondary"] };

export const SCENARIOS: readonly Scenario[] = [
  scenario("changes", {}, { primary: 2, secondary: 1 }, { primary: 2, secondary: 2 }),
  scenario(
    "a watcher that is killed",
    {},
    { primary: 1, secondary: 1, watcherCrash: 1 },
    { primary: 2, secondary: 1, watcherCrash: 2 },
  ),
  scenario(
    "two watchers, both leading for a while",
    TWO_WATCHERS,
    { primary: 1, takeOver: 1 },
    { primary: 1, takeOver: 1, watcherCrash: 1 },
  ),
  scenario(
    "a worker that is killed",
    TWO_WORKERS,
    { primary: 1, workerCrash: 1, expiry: 1 },
    { primary: 2, workerCrash: 1, expiry: 2 },
  ),
  scenario(
    "requests that land late",
    TWO_WORKERS,
    { primary: 1, workerCrash: 1, late: 1 },
    { primary: 2, workerCrash: 2, late: 1 },
  ),
  scenario(
    "calls that fail, or happened and say that they failed",
    TWO_WORKERS,
    { primary: 1, fault: 1 },
    { primary: 2, fault: 2 },
  ),
  scenario(
    "failures and timers",
    {},
    { primary: 1, failure: 1, longFailure: 1 },
    { primary: 2, failure: 1, longFailure: 1 },
  ),
  scenario(
    "timers and crashes",
    TWO_WORKERS,
    { primary: 1, requeue: 1, workerCrash: 1 },
    { primary: 1, requeue: 2, workerCrash: 1, watcherCrash: 1, window: 1 },
  ),
  scenario(
    "deduplication windows that end",
    {},
    { primary: 2, window: 2 },
    { primary: 2, secondary: 1, window: 2 },
  ),
  scenario(
    "records that expire",
    {},
    { primary: 3, recordExpiry: 1 },
    { primary: 4, recordExpiry: 1, watcherCrash: 1 },
  ),
  scenario(
    "one batch invoked twice",
    TWO_WORKERS,
    { primary: 1, twice: 1 },
    { primary: 1, twice: 1, workerCrash: 1, requeue: 1 },
  ),
  scenario(
    "a clock that is fast",
    TWO_WORKERS,
    { primary: 2, fastClock: 1 },
    { primary: 2, fastClock: 1, workerCrash: 1, expiry: 1 },
  ),
  scenario(
    "own writes by apply",
    APPLIES,
    { primary: 1, secondary: 1 },
    { primary: 1, secondary: 2, watcherCrash: 1, workerCrash: 1 },
  ),
  scenario(
    "own writes by hand",
    { acts: "patches" },
    { primary: 1, secondary: 1 },
    { primary: 1, secondary: 1, watcherCrash: 1, workerCrash: 1, late: 1 },
  ),
  scenario(
    "own writes that land late",
    { ...APPLIES, ...PRIMARY },
    { secondary: 1, workerCrash: 1, late: 1 },
    { primary: 1, secondary: 1, workerCrash: 1, late: 1 },
  ),
  scenario(
    "own writes of runs that fail",
    { ...APPLIES, ...PRIMARY, status: true },
    { failure: 1 },
    { primary: 1, failure: 1 },
  ),
  scenario(
    "a status, and every version counts",
    { ...APPLIES, status: true, fingerprints: "version" },
    { primary: 2 },
    { primary: 2, secondary: 1, watcherCrash: 1 },
  ),
  scenario(
    "everything once",
    { ...TWO_WATCHERS, ...TWO_WORKERS, ...APPLIES, ...PRIMARY, status: true },
    { secondary: 0 },
    { ...NOTHING, ...Object.fromEntries(Object.keys(NOTHING).map((what) => [what, 1])) },
  ),
];

/** For each thing that the protocol forbids, a setting in which doing it loses something. */
export const LOSSES: readonly Rules[] = (
  [
    ["bare key as id", {}, { primary: 2 }],
    ["epoch raised after reading", {}, { primary: 2 }],
    ["epoch read that is not strongly consistent", {}, { primary: 2 }],
    ["epoch read from a cache", {}, { primary: 3 }],
    ["epoch read before the change was seen", {}, { primary: 3 }],
    ["send suppressed because this epoch was sent already", {}, { primary: 3, recordExpiry: 1 }],
    ["run after a failed start", {}, { primary: 2, fault: 1 }],
    [
      "timer cleared at the start of a run",
      TWO_WORKERS,
      { primary: 1, requeue: 1, workerCrash: 1, twice: 1 },
    ],
    ["timer's id and clear by dueAt alone", {}, { primary: 1, requeue: 2 }],
    ["last version read in seen", { status: true, fingerprints: "version" }, { primary: 2 }],
    ["own write left out of seen", { ...APPLIES, ...PRIMARY }, { secondary: 2, watcherCrash: 1 }],
    ["backfill judged change by change", BOTH, { secondary: 1, watcherCrash: 1 }],
    [
      "expired lock taken for a free one in the covered test",
      PRIMARY,
      { primary: 2, workerCrash: 1, expiry: 1 },
    ],
    ["covered rule in the worker", BOTH, { secondary: 1 }],
    ["waiting key dropped when a send succeeded", {}, { primary: 3 }],
    ["safety timer left out", TWO_WORKERS, { primary: 1, failure: 1, twice: 1 }],
    ["key that was not read taken for absent", {}, { primary: 2, fault: 1 }],
    [
      "gone believed of a record that a run holds",
      {},
      { primary: 2, secondary: 1, watcherCrash: 1 },
    ],
    ["lock taken while its run lives", TWO_WORKERS, { primary: 1, expiry: 1 }],
  ] satisfies readonly [Dont, Setting, Spent][]
).map(([dont, setting, budget]) => rules(dont, { ...setting, dont }, budget));
