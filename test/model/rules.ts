import type { Budget, Name } from "./state.ts";

/** What the protocol forbids; each of them loses a change when it is done all the same. */
export const DONTS = [
  "bare key as id",
  "epoch raised after reading",
  "epoch read that is not strongly consistent",
  "epoch read from a cache",
  "epoch read before the change was seen",
  "send suppressed because this epoch was sent already",
  "run after a failed start",
  "timer cleared at the start of a run",
  "timer's id and clear by dueAt alone",
  "last version read in seen",
  "own write left out of seen",
  "backfill judged change by change",
  "expired lock taken for a free one in the covered test",
  "covered rule in the worker",
  "waiting key dropped when a send succeeded",
  "safety timer left out",
  "key that was not read taken for absent",
  "gone believed of a record that a run holds",
  "lock taken while its run lives",
  "change of a reference taken for covered",
  "change of a reference left to the predicate",
  "states missed by a watch taken for none",
  "deletionTimestamp left out of the fingerprint",
  "finalizer removed before finalize",
  "status written without its version",
  "revision left out of the covered test",
  "pass for a revision made once",
  "resync dropped when nothing changed",
  "held key dropped",
] as const;

export type Dont = (typeof DONTS)[number];

/** One setting of the model: what happens, and how often. */
export interface Rules {
  readonly name: string;
  /** Whether the run only looks at the secondary, applies it (conditional on what it read), or patches it by hand. */
  readonly acts: "observes" | "applies" | "patches";
  /** What a predicate compares: content and reference, content alone, or every version. */
  readonly fingerprints: "content" | "content alone" | "version";
  /** Whether the run writes what it made into the primary's status. */
  readonly status: boolean;
  /** Whether the secondary concerns the primary only while that refers to it. */
  readonly usedBy: boolean;
  /** Whether the controller has a finalizer, so that a deleted primary is marked first. */
  readonly finalizer: boolean;
  /** Runs that there may be at most: before anything happens, and more for each thing that does. */
  readonly runs?: { readonly begin: number; readonly each: number };
  /** What is there before anything happens. */
  readonly exists: readonly Name[];
  readonly watchers: number;
  readonly leaders: number;
  readonly workers: number;
  /** Messages that one invocation takes at most. */
  readonly batch: number;
  readonly dont?: Dont;
  readonly budget: Budget;
}

export const NOTHING: Budget = {
  primary: 0,
  secondary: 0,
  watcherCrash: 0,
  workerCrash: 0,
  late: 0,
  fault: 0,
  failure: 0,
  longFailure: 0,
  requeue: 0,
  expiry: 0,
  twice: 0,
  takeOver: 0,
  window: 0,
  fastClock: 0,
  recordExpiry: 0,
  uses: 0,
  deploy: 0,
  drift: 0,
  held: 0,
};
