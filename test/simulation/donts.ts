import type { Clock } from "../../shared/clock.ts";
import type { RecordStore, RevisionStore } from "../../shared/queue/record-store.ts";
import type { RequestQueue } from "../../shared/queue/request-queue.ts";
import type { MemoryRecordStore } from "../../shared/testing/memory-record-store.ts";

type Store = RecordStore & RevisionStore;

/** A rule that is broken on purpose, by what stands between the real code and what it calls. */
export interface Dont {
  readonly watcherStore?: (store: MemoryRecordStore, clock: Clock) => Store;
  readonly watcherQueue?: (queue: RequestQueue) => RequestQueue;
  readonly workerStore?: (store: MemoryRecordStore) => RecordStore;
  readonly workerQueue?: (queue: RequestQueue) => RequestQueue;
}
