import type { ObjectRecord, RunEnd } from "../../shared/queue/record.ts";
import type { PendingEntry } from "../../watcher/pending-entry.ts";

/** An object of the cluster, as small as one can be. */
export interface ModelObject {
  readonly uid: number;
  readonly version: number;
  /** "a" or "b", so that changes go back and forth (A-B-A). */
  readonly content: string;
  /** Of the primary: what its status says that was made. */
  readonly status: string;
  /** Of the primary: it refers to the secondary. */
  readonly uses?: boolean;
  /** Of the primary: it carries our finalizer; it is marked for deletion. */
  readonly finalizer?: boolean;
  readonly deleting?: boolean;
}

/** The primary, for which the key stands, and another object that the reconciler looks at or makes. */
export type Name = "primary" | "secondary";
export const NAMES: readonly Name[] = ["primary", "secondary"];

export type Objects = { readonly [name in Name]?: ModelObject };

export interface Cluster {
  /** The last resourceVersion and uid that were given out. */
  readonly version: number;
  readonly objects: Objects;
  /** What the last run made outside of what is watched: it should follow the objects. */
  readonly made: string;
  /** A run asked for another one (timer, failure), and none has ended since. */
  readonly owed: boolean;
  /** The status is that of a run that died, whose request landed late on the version that still stood. */
  readonly lateStatus?: boolean;
  /** Which code the functions have, and which revision the deploy wrote for the watchers. */
  readonly code: Revision;
  readonly revision: Revision;
}

/** What is made outside, once somebody else changed it. */
export const DRIFTED = "drifted";

/** Of the code. */
export type Revision = "r1" | "r2";

/** What a watch tells. */
export interface Change {
  readonly name: Name;
  /** As it was last, of a deleted one. */
  readonly object: ModelObject;
  readonly deleted: boolean;
  /** Found by a new list: there may have been other states in between. */
  readonly missed?: boolean;
}

/** A request on its way: taken out of the entries that wait. */
export interface Forwarding {
  readonly entry: PendingEntry;
  /** It came from the slow lane. */
  readonly slow?: boolean;
  /** Of a timer that fires. */
  readonly timer?: number;
  /** Absent: not read yet. Null: there is no record. */
  readonly record?: ObjectRecord | null;
  /** What is left to do after the send. */
  readonly sent?: { readonly wake?: number; readonly clear?: { dueAt: number; epoch: number } };
}

/** A pass over the records that has not judged the key yet, with what the caches held when it began. */
export interface Backfill {
  readonly cache: Objects;
  readonly revisionOnly: boolean;
}

export interface ModelWatcher {
  readonly up: boolean;
  readonly leading: boolean;
  readonly cache: Objects;
  /** Changes that it has not got yet, in their order for each object. */
  readonly feed: readonly Change[];
  readonly backfill?: Backfill;
  readonly waiting?: PendingEntry;
  /** What is in no hurry: for a new revision, and for resync. */
  readonly lane?: PendingEntry;
  /** The revision that it heard of. */
  readonly knows: Revision;
  /** Another pass has to follow, once no old code can run any more. */
  readonly repeats?: boolean;
  /** The last run, as its record told it, for which it asked for a resync. */
  readonly resynced?: string;
  readonly forwarding?: Forwarding;
  /** Kept only by rules that are wrong: the first record it read, and the epochs that it sent. */
  readonly cachedRecord?: ObjectRecord | null;
  readonly sentEpochs?: readonly number[];
}

export interface ModelMessage {
  readonly cause: string;
  /** What it was sent for. Only a rule that is wrong looks at it. */
  readonly trigger: readonly string[];
  /** Absent: it can be received. */
  readonly handle?: number;
}

/** What a run has seen or written, for its `SeenBuilder`. */
export type Sighting =
  | { readonly kind: "read"; readonly name: Name; readonly object: ModelObject }
  | {
      readonly kind: "wrote";
      readonly name: Name;
      readonly object: ModelObject;
      readonly before?: number;
    }
  | { readonly kind: "touched"; readonly name: Name; readonly uid: number };

export interface ModelWorker {
  readonly phase:
    | "idle"
    | "received"
    | "read primary"
    | "add finalizer"
    | "read secondary"
    | "act"
    | "status"
    | "finalize"
    | "remove finalizer"
    | "end"
    /** A call failed: what else it would have done, it does not do. */
    | "failed"
    | "acknowledge";
  readonly handles: readonly number[];
  readonly triggers: readonly string[];
  readonly runId: number;
  /** Of the code that it was invoked with. */
  readonly revision: Revision;
  /** As the start left it. */
  readonly record?: ObjectRecord;
  /** What the run decides by. */
  readonly seen: Objects;
  /** All that it saw and wrote, in order. */
  readonly sightings: readonly Sighting[];
  /** The first of its messages waits out a backoff. */
  readonly keepsFirst?: boolean;
}

/** A request of a worker that has ended, still on its way. */
export type LateRequest =
  | { readonly kind: "start"; readonly runId: number }
  | { readonly kind: "end"; readonly end: RunEnd }
  | { readonly kind: "act"; readonly seen: Objects }
  | { readonly kind: "status"; readonly status: string; readonly before: ModelObject }
  | { readonly kind: "finalizer"; readonly before: ModelObject };

/** How often each thing may still happen. */
export interface Budget {
  readonly primary: number;
  readonly secondary: number;
  readonly watcherCrash: number;
  readonly workerCrash: number;
  readonly late: number;
  readonly fault: number;
  readonly failure: number;
  readonly longFailure: number;
  readonly requeue: number;
  readonly expiry: number;
  readonly twice: number;
  readonly takeOver: number;
  /** Deduplication windows that end, and clocks that are fast. */
  readonly window: number;
  readonly fastClock: number;
  /** Records of objects that are gone expire; by then the queue has forgotten everything. */
  readonly recordExpiry: number;
  /** The primary begins or ceases to use the secondary. */
  readonly uses: number;
  readonly deploy: number;
  /** Somebody changes what was made outside of what is watched. */
  readonly drift: number;
  /** A key that keeps waking itself is made to wait. */
  readonly held: number;
}

export interface ModelState {
  readonly cluster: Cluster;
  readonly record?: ObjectRecord;
  /** As it was before its last change: what a read that is not strongly consistent may give. */
  readonly before?: ObjectRecord;
  readonly messages: readonly ModelMessage[];
  /** Deduplication ids that the queue remembers. */
  readonly window: readonly string[];
  readonly watchers: readonly ModelWatcher[];
  readonly workers: readonly ModelWorker[];
  readonly late: readonly LateRequest[];
  readonly budget: Budget;
}

export const IDLE: ModelWorker = {
  phase: "idle",
  handles: [],
  triggers: [],
  runId: 0,
  revision: "r1",
  seen: {},
  sightings: [],
};

export const DOWN: ModelWatcher = {
  up: false,
  leading: false,
  cache: {},
  feed: [],
  knows: "r1",
};
