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
}

/** What a watch tells. */
export interface Change {
  readonly name: Name;
  /** As it was last, of a deleted one. */
  readonly object: ModelObject;
  readonly deleted: boolean;
}

/** A request on its way: taken out of the entries that wait. */
export interface Forwarding {
  readonly entry: PendingEntry;
  /** Of a timer that fires. */
  readonly timer?: number;
  /** Absent: not read yet. Null: there is no record. */
  readonly record?: ObjectRecord | null;
  /** What is left to do after the send. */
  readonly sent?: { readonly wake?: number; readonly clear?: { dueAt: number; epoch: number } };
}

export interface ModelWatcher {
  readonly up: boolean;
  readonly leading: boolean;
  readonly cache: Objects;
  /** Changes that it has not got yet, in their order for each object. */
  readonly feed: readonly Change[];
  /** What the caches held when a backfill began that has not judged the key yet. */
  readonly backfill?: Objects;
  readonly waiting?: PendingEntry;
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
    | "read secondary"
    | "act"
    | "status"
    | "end"
    | "acknowledge";
  readonly handles: readonly number[];
  readonly triggers: readonly string[];
  readonly runId: number;
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
  | { readonly kind: "act"; readonly seen: Objects };

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
  seen: {},
  sightings: [],
};

export const DOWN: ModelWatcher = { up: false, leading: false, cache: {}, feed: [] };
