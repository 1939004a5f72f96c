/** Why a reconcile is asked for. Only for people and metrics; no decision hangs on it. */
export type Reason = "change" | "backfill" | "resync" | "timer" | "manual" | "redrive";

/** One object as one controller sees it: what has a record, a message group, and one run at a time. */
export interface RequestKey {
  readonly cluster: string;
  readonly controller: string;
  /** "" for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** Asks for one reconcile. Names the object and never carries it: the reconciler reads the newest. */
export interface ReconcileRequest extends RequestKey {
  readonly reason: Reason;
  /** When the watcher saw the change, in milliseconds since 1970; for the lag metric. */
  readonly changedAtMs?: number;
}
