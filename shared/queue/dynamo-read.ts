import { BatchGetItemCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Clock } from "../clock.ts";
import { chunksOf } from "./chunks-of.ts";
import type { ObjectRecord } from "./record.ts";
import { type Item, recordOf } from "./record-item.ts";
import { keyOfItem, recordItemKey } from "./record-key.ts";
import { type ReadResult, recordId } from "./record-store.ts";
import type { RequestKey } from "./request.ts";

/** The table, and what its adapters need beside it. */
export interface DynamoTable {
  readonly client: DynamoDBClient;
  readonly tableName: string;
  readonly clock: Clock;
  /** 0 to 1, for jitter. */
  readonly random: () => number;
}

/**
 * Reads records strongly consistently. Keys that the service leaves unprocessed are asked for again
 * for a second, then told as unread (Q9); so are those of a call that failed, while others did not.
 */
export async function readRecords(
  table: DynamoTable,
  keys: readonly RequestKey[],
): Promise<ReadResult> {
  const unique = [...new Map(keys.map((key) => [recordId(key), key])).values()];
  const chunks = chunksOf(unique, KEYS_A_CALL);
  const results = await Promise.allSettled(chunks.map((chunk) => readChunk(table, chunk)));
  const refused = results.filter((result) => result.status === "rejected");
  if (refused[0] && refused.length === chunks.length) throw refused[0].reason;
  return {
    records: new Map(
      results.flatMap((result) => (result.status === "fulfilled" ? [...result.value.records] : [])),
    ),
    unread: results.flatMap((result, index) =>
      result.status === "fulfilled" ? result.value.unread : (chunks[index] ?? []),
    ),
  };
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const KEYS_A_CALL = 100;
/** Q9: how long a read is repeated. */
const READ_FOR_MS = 1_000;
const FIRST_PAUSE_MS = 50;

async function readChunk(table: DynamoTable, keys: readonly RequestKey[]): Promise<ReadResult> {
  const { clock, random } = table;
  const records = new Map<string, ObjectRecord>();
  const untilMs = clock.monotonicMs() + READ_FOR_MS;
  let pauseMs = FIRST_PAUSE_MS;
  let unread = keys;
  for (;;) {
    const { items, unprocessed } = await batchGet(table, unread);
    for (const item of items) records.set(recordId(keyIn(item)), recordOf(item));
    unread = unprocessed;
    const waitMs = pauseMs * (0.5 + random() / 2);
    if (unread.length === 0 || clock.monotonicMs() + waitMs >= untilMs) break;
    await clock.sleep(waitMs);
    pauseMs *= 2;
  }
  return { records, unread };
}

async function batchGet({ client, tableName }: DynamoTable, keys: readonly RequestKey[]) {
  const { Responses, UnprocessedKeys } = await client.send(
    new BatchGetItemCommand({
      RequestItems: {
        [tableName]: {
          ConsistentRead: true, // Q1
          Keys: keys.map((key) => {
            const { pk, sk } = recordItemKey(key);
            return { pk: { S: pk }, sk: { S: sk } };
          }),
        },
      },
    }),
  );
  return {
    items: Responses?.[tableName] ?? [],
    unprocessed: (UnprocessedKeys?.[tableName]?.Keys ?? []).map(keyIn),
  };
}

/** The request key of an item or of a primary key. */
export function keyIn(item: Item): RequestKey {
  return keyOfItem({ pk: item.pk?.S ?? "", sk: item.sk?.S ?? "" });
}
