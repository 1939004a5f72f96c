import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import type { Clock } from "../clock.ts";

/** The sparse index of timers, over `dueShard` and `dueAt`. */
export const DUE_INDEX = "due";

/**
 * Creates the table of records if it is not there, waits until it and its index can be used, and
 * turns the TTL on where the service knows that (dynalite does not). For local mode and tests; in
 * AWS the stack creates it. Resolves to whether it was not there. Rejects when it is not usable after
 * a minute.
 */
export async function ensureTable(
  client: DynamoDBClient,
  tableName: string,
  clock: Pick<Clock, "sleep">,
): Promise<boolean> {
  const { TableDescription: made } = await client
    .send(createTable(tableName))
    .catch(unless<{ TableDescription?: undefined }>("ResourceInUseException"));
  await waitUntilActive(client, tableName, clock);
  await client
    .send(
      new UpdateTimeToLiveCommand({
        TableName: tableName,
        TimeToLiveSpecification: { AttributeName: "expiresAt", Enabled: true },
      }),
    )
    // A ValidationException says that it is on already.
    .catch(unless("UnknownOperationException", "ValidationException"));
  return made !== undefined;
}

/** Resolves to whether there is such a table. */
export async function tableExists(client: DynamoDBClient, TableName: string): Promise<boolean> {
  const { Table } = await client
    .send(new DescribeTableCommand({ TableName }))
    .catch(unless<{ Table?: undefined }>("ResourceNotFoundException"));
  return Table !== undefined;
}

function createTable(TableName: string): CreateTableCommand {
  return new CreateTableCommand({
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" },
      { AttributeName: "sk", AttributeType: "S" },
      { AttributeName: "dueShard", AttributeType: "S" },
      { AttributeName: "dueAt", AttributeType: "N" },
    ],
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: DUE_INDEX,
        KeySchema: [
          { AttributeName: "dueShard", KeyType: "HASH" },
          { AttributeName: "dueAt", KeyType: "RANGE" },
        ],
        Projection: { ProjectionType: "KEYS_ONLY" },
      },
    ],
  });
}

async function waitUntilActive(
  client: DynamoDBClient,
  TableName: string,
  { sleep }: Pick<Clock, "sleep">,
): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const { Table } = await client
      .send(new DescribeTableCommand({ TableName }))
      .catch(unless<{ Table?: undefined }>("ResourceNotFoundException"));
    const states = [Table?.TableStatus, Table?.GlobalSecondaryIndexes?.[0]?.IndexStatus];
    if (states.every((state) => state === "ACTIVE")) return;
    await sleep(200);
  }
  throw new Error(`cannot use table ${TableName}: expected it to be active within a minute`);
}

/** Lets errors of these names pass as an empty answer. */
function unless<T extends object>(...names: readonly string[]): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && names.includes(error.name)) return {} as T;
    throw error;
  };
}
