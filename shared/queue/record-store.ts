import type { ObjectRecord, RunEnd, RunStart } from "./record.ts";
import type { RequestKey } from "./request.ts";

/** A start took the lock, or met another run's. */
export type StartResult =
  | {
      readonly started: true;
      /** The record as it stands after the start. */
      readonly record: ObjectRecord;
      /** The run before this one never ended: its lock had expired. */
      readonly crashed: boolean;
    }
  | { readonly started: false; readonly runUntil: number };

export interface ReadResult {
  /** By `recordId`. A key that was read and is absent here has no record: epoch 0. */
  readonly records: ReadonlyMap<string, ObjectRecord>;
  /** Keys that could not be read (Q9). Never to be taken for absent. */
  readonly unread: readonly RequestKey[];
}

export interface Timer {
  readonly key: RequestKey;
  readonly dueAt: number;
}

/** Records of all keys of a platform. Each write is one atomic, conditional step. */
export interface RecordStore {
  /** Reads strongly consistently (Q1), any number of keys. Rejects only when nothing at all could be read. */
  readonly read: (keys: readonly RequestKey[]) => Promise<ReadResult>;
  /** Raises the epoch and takes the lock (Q2, Q4, Q8). Rejects when it is not known to have happened: then do not run. */
  readonly start: (key: RequestKey, start: RunStart) => Promise<StartResult>;
  /** Ends a run; resolves to false when the record is another run's by now (Q5). */
  readonly end: (key: RequestKey, end: RunEnd) => Promise<boolean>;
  /** Timers due at `nowMs`, oldest first, of one of the 16 shards. Eventually consistent: read the record before acting. */
  readonly due: (query: {
    cluster: string;
    shard: number;
    nowMs: number;
    limit: number;
  }) => Promise<readonly Timer[]>;
  /** Removes a timer if both values still hold (Q10); resolves to whether it did. */
  readonly clearTimer: (
    key: RequestKey,
    timer: { dueAt: number; epoch: number },
  ) => Promise<boolean>;
  /** All records of a controller, strongly consistent, page by page. */
  readonly list: (owner: {
    cluster: string;
    controller: string;
  }) => AsyncIterable<readonly { readonly key: RequestKey; readonly record: ObjectRecord }[]>;
}

/** The map key of a request key. */
export function recordId({ cluster, controller, namespace, name }: RequestKey): string {
  return `${cluster}/${controller}/${namespace}/${name}`;
}

/** Revisions of controllers, as the deploy wrote them. */
export interface RevisionStore {
  /** By controller name. */
  readonly revisions: (cluster: string) => Promise<ReadonlyMap<string, string>>;
  readonly putRevision: (cluster: string, controller: string, revision: string) => Promise<void>;
}
