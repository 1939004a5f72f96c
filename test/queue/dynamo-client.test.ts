import { BatchGetItemCommand, type DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type DynamoDbServer, startDynamoDbServer } from "../../local/dynamodb-server.ts";
import { systemClock } from "../../shared/clock.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { ensureTable, tableExists } from "../../shared/queue/dynamo-table.ts";

let server: DynamoDbServer;
let client: DynamoDBClient;

beforeAll(async () => {
  server = await startDynamoDbServer({});
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  client = createDynamoClient({ endpoint: server.url, region: "us-east-1", credentials });
});
afterAll(async () => {
  client.destroy();
  await server.close();
});

const Key = { pk: { S: "a" }, sk: { S: "b" } };

test.each([
  new GetItemCommand({ TableName: "gone", Key }),
  new BatchGetItemCommand({ RequestItems: { gone: { Keys: [Key] } } }),
])("a table that is not there is named, with what to do about it", async (command) => {
  await expect(client.send(command as GetItemCommand)).rejects.toMatchObject({
    name: "ResourceNotFoundException",
    message:
      "cannot use table gone: expected it to be there, got ResourceNotFoundException; make it again, as a deploy does, and start the watcher anew, so that every object runs once more",
  });
});

test("a table is made once, and found again", async () => {
  expect(await tableExists(client, "records")).toBe(false);
  expect(await ensureTable(client, "records", systemClock)).toBe(true);
  expect(await ensureTable(client, "records", systemClock)).toBe(false);
  expect(await tableExists(client, "records")).toBe(true);
});
