import { NO_RECORD, type ObjectRecord, type RunEnd, type RunStart } from "../queue/record.ts";
import { SHARD_COUNT, shardOf } from "../queue/record-key.ts";
import {
  type ReadResult,
  type RecordStore,
  type RevisionStore,
  recordId,
  type StartResult,
  type Timer,
} from "../queue/record-store.ts";
import { clearTimer, endRun, startRun } from "../queue/record-transitions.ts";
import type { RequestKey } from "../queue/request.ts";

/** An operation of the store that can be made to fail. */
export type StoreOperation = "read" | "start" | "end" | "due" | "clearTimer" | "list";

interface Entry {
  readonly key: RequestKey;
  readonly record: ObjectRecord;
  /** Of the key: looked up more often than it is worth to count it. */
  readonly shard: number;
}

/** Records in memory, over the same transitions as the DynamoDB store, with faults on request. */
export class MemoryRecordStore implements RecordStore, RevisionStore {
  readonly #entries = new Map<string, Entry>();
  /** Those of the entries that have a timer: each second asks sixteen times for them. */
  readonly #timers = new Map<string, Entry & { readonly record: { readonly dueAt: number } }>();
  readonly #revisions = new Map<string, Map<string, string>>();
  readonly #faults = new Map<string, number>();
  readonly #unread = new Set<string>();

  /**
   * Makes the next `times` calls of an operation reject. "before": it did not happen; "after": it
   * did, and only the answer was lost.
   */
  failNext(operation: StoreOperation, { times = 1, when = "before" as "before" | "after" } = {}) {
    this.#faults.set(`${operation} ${when}`, times);
  }

  /** These keys come back unread (Q9) until `readAgain`. */
  leaveUnread(...keys: readonly RequestKey[]): void {
    for (const key of keys) this.#unread.add(recordId(key));
  }

  /** Every key can be read again. */
  readAgain(): void {
    this.#unread.clear();
  }

  /** The record of a key; undefined where there is none. */
  record(key: RequestKey): ObjectRecord | undefined {
    return this.#entries.get(recordId(key))?.record;
  }

  /** Sets a record as it stands; undefined removes it, as the table's TTL does. */
  put(key: RequestKey, record: ObjectRecord | undefined): void {
    const id = recordId(key);
    this.#timers.delete(id);
    if (!record) return void this.#entries.delete(id);
    const shard = this.#entries.get(id)?.shard ?? shardOf(key);
    const entry = { key: bare(key), record, shard };
    this.#entries.set(id, entry);
    const { dueAt } = record;
    if (dueAt !== undefined) this.#timers.set(id, { ...entry, record: { ...record, dueAt } });
  }

  /** All records as they stand. */
  records(): readonly ObjectRecord[] {
    return [...this.#entries.values()].map(({ record }) => record);
  }

  read = (keys: readonly RequestKey[]): Promise<ReadResult> =>
    this.#call("read", () => {
      const records = new Map<string, ObjectRecord>();
      const unread = new Map<string, RequestKey>();
      for (const key of keys) {
        const record = this.record(key);
        if (this.#unread.has(recordId(key))) unread.set(recordId(key), key);
        else if (record) records.set(recordId(key), record);
      }
      return { records, unread: [...unread.values()] };
    });

  start = (key: RequestKey, start: RunStart): Promise<StartResult> =>
    this.#call("start", () => {
      const result = startRun(this.record(key) ?? NO_RECORD, start);
      if (result.started) this.put(key, result.record);
      return result;
    });

  end = (key: RequestKey, end: RunEnd): Promise<boolean> =>
    this.#call("end", () => {
      const { ended, record } = endRun(this.record(key) ?? NO_RECORD, end);
      if (ended) this.put(key, record);
      return ended;
    });

  due = (query: {
    cluster: string;
    shard: number;
    nowMs: number;
    limit: number;
  }): Promise<readonly Timer[]> =>
    this.#call("due", () =>
      [...this.#timers.values()]
        .filter(({ key, shard }) => shard === query.shard && key.cluster === query.cluster)
        .map(({ key, record: { dueAt } }) => ({ key, dueAt }))
        .filter(({ dueAt }) => dueAt <= query.nowMs)
        .sort((a, b) => a.dueAt - b.dueAt)
        .slice(0, query.limit),
    );

  clearTimer = (key: RequestKey, timer: { dueAt: number; epoch: number }): Promise<boolean> =>
    this.#call("clearTimer", () => {
      const { cleared, record } = clearTimer(this.record(key) ?? NO_RECORD, timer);
      if (cleared) this.put(key, record);
      return cleared;
    });

  /** One page a shard, as the table has them. */
  async *list(owner: { cluster: string; controller: string }): AsyncGenerator<readonly Entry[]> {
    for (let shard = 0; shard < SHARD_COUNT; shard += 1) {
      const page = await this.#call("list", () =>
        [...this.#entries.values()].filter(
          ({ key, shard: its }) =>
            key.cluster === owner.cluster && key.controller === owner.controller && its === shard,
        ),
      );
      if (page.length > 0) yield page;
    }
  }

  revisions = async (cluster: string): Promise<ReadonlyMap<string, string>> =>
    new Map(this.#revisions.get(cluster));

  putRevision = async (cluster: string, controller: string, revision: string): Promise<void> => {
    const revisions = this.#revisions.get(cluster) ?? new Map<string, string>();
    this.#revisions.set(cluster, revisions.set(controller, revision));
  };

  async #call<T>(operation: StoreOperation, happen: () => T): Promise<T> {
    this.#fault(operation, "before");
    const answer = happen();
    this.#fault(operation, "after");
    return answer;
  }

  #fault(operation: StoreOperation, when: "before" | "after"): void {
    const id = `${operation} ${when}`;
    const left = this.#faults.get(id) ?? 0;
    if (left === 0) return;
    this.#faults.set(id, left - 1);
    throw new Error(`cannot ${operation} record: a fault ${when} it happened was asked for`);
  }
}

function bare({ cluster, controller, namespace, name }: RequestKey): RequestKey {
  return { cluster, controller, namespace, name };
}
