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
  const counted = { runs: { begin: 1, each: 1 }, ...setting };
  return { name, small: rules(name, counted, small), full: rules(name, counted, full) };
}

function rules(name: string, setting: Setting, budget: Spent): Rules {
  return {
    name,
    acts: "observes",
    fingerprints: "content",
    status: false,
    usedBy: false,
    finalizer: false,
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
    { ...TWO_WATCHERS, runs: { begin: 1, each: 3 } },
    { primary: 1, takeOver: 1 },
    { primary: 1, takeOver: 1, watcherCrash: 1 },
  ),
  scenario(
    "a worker that is killed",
    TWO_WORKERS,
    { primary: 1, workerCrash: 1, expiry: 1 },
    { primary: 2, workerCrash: 1, expiry: 1 },
  ),
  scenario(
    "requests that land late",
    TWO_WORKERS,
    { primary: 1, workerCrash: 1, late: 1 },
    { primary: 2, workerCrash: 2, late: 1 },
  ),
  scenario("watches that are lost", PRIMARY, { primary: 2, fault: 1 }, { primary: 2, fault: 2 }),
  scenario(
    "calls that fail, or happened and say that they failed",
    { ...TWO_WORKERS, runs: { begin: 1, each: 2 } },
    { primary: 1, fault: 1 },
    { primary: 2, fault: 2 },
  ),
  scenario(
    "failures and timers",
    { runs: { begin: 1, each: 2 } },
    { primary: 1, failure: 1, longFailure: 1 },
    { primary: 2, failure: 1, longFailure: 1 },
  ),
  scenario(
    "timers and crashes",
    { ...TWO_WORKERS, runs: { begin: 1, each: 2 } },
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
    { ...TWO_WORKERS, runs: { begin: 1, each: 2 } },
    { primary: 1, twice: 1 },
    { primary: 1, twice: 1, workerCrash: 1, requeue: 1 },
  ),
  scenario(
    "a clock that is fast",
    TWO_WORKERS,
    { primary: 2, fastClock: 1 },
    { primary: 2, fastClock: 1, workerCrash: 1 },
  ),
  scenario(
    "own writes by apply",
    { ...APPLIES, runs: { begin: 1, each: 2 } },
    { primary: 1, secondary: 1 },
    { primary: 1, secondary: 1, watcherCrash: 1, workerCrash: 1 },
  ),
  scenario(
    "own writes by hand",
    { acts: "patches", runs: { begin: 1, each: 2 } },
    { primary: 1, secondary: 1 },
    { primary: 1, secondary: 1, workerCrash: 1, late: 1 },
  ),
  scenario(
    "own writes that land late",
    { ...APPLIES, ...PRIMARY, runs: { begin: 2, each: 2 } },
    { secondary: 1, workerCrash: 1, late: 1 },
    { primary: 1, secondary: 1, workerCrash: 1, late: 1 },
  ),
  scenario(
    "own writes of runs that fail",
    { ...APPLIES, ...PRIMARY, status: true, runs: { begin: 2, each: 3 } },
    { failure: 1 },
    { primary: 1, failure: 1 },
  ),
  scenario(
    "a status, and every version counts",
    { ...APPLIES, status: true, fingerprints: "version", runs: { begin: 1, each: 3 } },
    { primary: 2 },
    { primary: 2, watcherCrash: 1 },
  ),
  scenario(
    "references that change",
    { ...BOTH, usedBy: true },
    { uses: 1, secondary: 1 },
    { uses: 2, secondary: 1, watcherCrash: 1 },
  ),
  scenario(
    "references that no predicate compares",
    { ...BOTH, usedBy: true, fingerprints: "content alone" },
    { uses: 1, secondary: 1 },
    { uses: 2, primary: 1, secondary: 1 },
  ),
  scenario(
    "a finalizer",
    // A run that fails after it added its finalizer: its retry, its safety timer, the finalizer's echo.
    { ...PRIMARY, finalizer: true, runs: { begin: 1, each: 3 } },
    { primary: 2 },
    { primary: 2, failure: 1 },
  ),
  scenario(
    "a finalizer, and crashes",
    { ...PRIMARY, ...TWO_WORKERS, finalizer: true, runs: { begin: 1, each: 2 } },
    { primary: 1, workerCrash: 1, late: 1 },
    { primary: 2, workerCrash: 1, late: 1 },
  ),
  scenario(
    "a new revision",
    { ...PRIMARY, ...TWO_WORKERS, runs: { begin: 2, each: 2 } },
    { deploy: 1 },
    { deploy: 1, primary: 1, watcherCrash: 1 },
  ),
  scenario(
    "a new revision, and crashes",
    { ...PRIMARY, ...TWO_WORKERS, runs: { begin: 2, each: 2 } },
    { deploy: 1, workerCrash: 1 },
    { deploy: 1, primary: 1, workerCrash: 1 },
  ),
  scenario(
    "resync",
    { ...PRIMARY, runs: { begin: 1, each: 3 } },
    { drift: 1 },
    { drift: 1, primary: 1, failure: 1 },
  ),
  scenario(
    "a key that keeps waking itself",
    PRIMARY,
    { primary: 2, held: 1 },
    { primary: 2, held: 2, watcherCrash: 1 },
  ),
  scenario(
    "writes that fail, or happened and say that they failed",
    { ...APPLIES, ...PRIMARY, status: true, runs: { begin: 2, each: 3 } },
    { fault: 1, late: 1 },
    { fault: 2, late: 1 },
  ),
  scenario(
    "a status that is written late",
    { ...PRIMARY, ...TWO_WORKERS, status: true },
    { primary: 1, workerCrash: 1, late: 1 },
    { primary: 2, workerCrash: 1, late: 1 },
  ),
  scenario(
    "everything once",
    {
      ...TWO_WATCHERS,
      ...TWO_WORKERS,
      ...APPLIES,
      ...PRIMARY,
      status: true,
      runs: { begin: 4, each: 4 },
    },
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
    [
      "change of a reference taken for covered",
      { ...BOTH, usedBy: true },
      { uses: 1, secondary: 1 },
    ],
    [
      "change of a reference left to the predicate",
      { ...BOTH, usedBy: true, fingerprints: "content alone" },
      { uses: 1, secondary: 1 },
    ],
    ["states missed by a watch taken for none", PRIMARY, { primary: 2, fault: 1 }],
    [
      "deletionTimestamp left out of the fingerprint",
      { ...PRIMARY, finalizer: true },
      { primary: 1 },
    ],
    ["finalizer removed before finalize", { ...PRIMARY, finalizer: true }, { primary: 1 }],
    [
      "status written without its version",
      { ...PRIMARY, ...TWO_WORKERS, status: true },
      { primary: 1, workerCrash: 1, late: 1 },
    ],
    ["revision left out of the covered test", PRIMARY, { deploy: 1 }],
    ["pass for a revision made once", { ...PRIMARY, ...TWO_WORKERS }, { deploy: 1, primary: 1 }],
    ["resync dropped when nothing changed", PRIMARY, { drift: 1 }],
    ["held key dropped", PRIMARY, { primary: 2, held: 1 }],
  ] satisfies readonly [Dont, Setting, Spent][]
).map(([dont, setting, budget]) => rules(dont, { ...setting, dont }, budget));
