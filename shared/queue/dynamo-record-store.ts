import {
  ConditionalCheckFailedException,
  GetItemCommand,
  QueryCommand,
  type QueryCommandInput,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { type DynamoTable, keyIn, readRecords } from "./dynamo-read.ts";
import { DUE_INDEX } from "./dynamo-table.ts";
import type { ObjectRecord, RunEnd, RunStart } from "./record.ts";
import { type Item, recordOf } from "./record-item.ts";
import { dueShard, recordItemKey, recordPartition, SHARD_COUNT } from "./record-key.ts";
import type { RecordStore, StartResult } from "./record-store.ts";
import { endRun, startRun } from "./record-transitions.ts";
import { clearTimerUpdate, endUpdate, type RecordUpdate, startUpdate } from "./record-update.ts";
import type { RequestKey } from "./request.ts";

/** Records in DynamoDB: each write is one conditional UpdateItem. See record-transitions.ts for what they do. */
export function createDynamoRecordStore(table: DynamoTable): RecordStore {
  return {
    read: (keys) => readRecords(table, keys),
    start: (key, start) => startInTable(table, key, start),
    end: (key, end) => endInTable(table, key, end),
    due: (query) => dueTimers(table, query),
    clearTimer: async (key, timer) =>
      (await update(table, key, clearTimerUpdate(timer), "NONE")).written,
    list: (owner) => listRecords(table, owner),
  };
}

/** A lock can be released between a refused write and the look at it; then the start is tried again. */
const START_TRIES = 3;

async function startInTable(
  table: DynamoTable,
  key: RequestKey,
  start: RunStart,
): Promise<StartResult> {
  for (let tries = 0; tries < START_TRIES; tries += 1) {
    const { written, item } = await update(table, key, startUpdate(start), "ALL_OLD");
    const result = startRun(recordOf(item), start);
    // Refused, and the record as it stands says the same, or holds our own lock: that is the answer.
    if (written || !result.started || recordOf(item).runId === start.runId) return result;
  }
  return { started: false, runUntil: start.nowMs };
}

async function endInTable(table: DynamoTable, key: RequestKey, end: RunEnd): Promise<boolean> {
  const { written, item } = await update(table, key, endUpdate(key, end), "NONE");
  return written || endRun(recordOf(item), end).ended;
}

/** Writes on the update's condition. `item` is the one before the write, or the one that refused it. */
async function update(
  { client, tableName }: DynamoTable,
  key: RequestKey,
  change: RecordUpdate,
  answer: "ALL_OLD" | "NONE",
): Promise<{ readonly written: boolean; readonly item?: Item | undefined }> {
  const { pk, sk } = recordItemKey(key);
  const place = { TableName: tableName, Key: { pk: { S: pk }, sk: { S: sk } } };
  try {
    const { Attributes } = await client.send(
      new UpdateItemCommand({
        ...place,
        ...change,
        ReturnValues: answer,
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
    return { written: true, item: Attributes };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    if (error.Item) return { written: false, item: error.Item };
    // No item: there is none, or the service does not know the parameter (dynalite).
    const { Item } = await client.send(new GetItemCommand({ ...place, ConsistentRead: true }));
    return { written: false, item: Item };
  }
}

async function dueTimers(
  table: DynamoTable,
  query: { cluster: string; shard: number; nowMs: number; limit: number },
) {
  const timers = [];
  const pages = itemPages(table, {
    IndexName: DUE_INDEX,
    KeyConditionExpression: "dueShard = :shard AND dueAt <= :now",
    ExpressionAttributeValues: {
      ":shard": { S: dueShard(query.cluster, query.shard) },
      ":now": { N: String(query.nowMs) },
    },
    Limit: query.limit,
  });
  for await (const items of pages) {
    timers.push(...items.map((item) => ({ key: keyIn(item), dueAt: Number(item.dueAt?.N) })));
    if (timers.length >= query.limit) break;
  }
  return timers.slice(0, query.limit);
}

async function* listRecords(
  table: DynamoTable,
  owner: { cluster: string; controller: string },
): AsyncGenerator<readonly { key: RequestKey; record: ObjectRecord }[]> {
  for (let shard = 0; shard < SHARD_COUNT; shard += 1) {
    const pages = itemPages(table, {
      ConsistentRead: true,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": { S: recordPartition(owner, shard) } },
    });
    for await (const items of pages) {
      yield items.map((item) => ({ key: keyIn(item), record: recordOf(item) }));
    }
  }
}

/** The pages of a query that hold anything, in order. */
export async function* itemPages(
  { client, tableName }: Pick<DynamoTable, "client" | "tableName">,
  query: Omit<QueryCommandInput, "TableName">,
): AsyncGenerator<readonly Item[]> {
  let from: QueryCommandInput["ExclusiveStartKey"];
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({ ...query, TableName: tableName, ExclusiveStartKey: from }),
    );
    if (Items.length > 0) yield Items;
    from = LastEvaluatedKey;
  } while (from);
}
