import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { CreateTableCommand, DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import dynalite from "dynalite";
import { createDynamoLeaseStore } from "../../shared/lease/dynamo-lease-store.ts";
import { MemoryLeaseStore } from "../../shared/testing/memory-lease-store.ts";
import { leaseStoreContract } from "../contract/lease-store-contract.ts";

const tableName = "tidegate";
const servers: Server[] = [];
const clients: DynamoDBClient[] = [];
let client: DynamoDBClient;
let clusters = 0;

beforeAll(async () => {
  client = clientOf(await listening(dynalite({ createTableMs: 0 })));
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [
        { AttributeName: "pk", AttributeType: "S" },
        { AttributeName: "sk", AttributeType: "S" },
      ],
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
    }),
  );
});

afterAll(async () => {
  for (const each of clients) each.destroy();
  for (const server of servers) {
    server.closeAllConnections();
    const closed = once(server, "close");
    server.close();
    await closed;
  }
});

leaseStoreContract("in memory", async () => {
  const store = new MemoryLeaseStore();
  return [store, store.connection({})];
});

leaseStoreContract("in DynamoDB", async () => {
  clusters += 1;
  const options = { client, tableName, cluster: `cluster-${clusters}` };
  return [createDynamoLeaseStore(options), createDynamoLeaseStore(options)];
});

test("one cluster's lease is none of another's", async () => {
  const [one, other] = ["one", "other"].map((cluster) =>
    createDynamoLeaseStore({ client, tableName, cluster }),
  );
  const record = { holder: "a", version: "v", durationMs: 1, term: 1, clusterUid: "u" };
  await one?.write(record, undefined);
  expect([await one?.read(), await other?.read()]).toEqual([record, undefined]);
});

test("rejects an item that is no lease, naming what it has", async () => {
  const Item = { pk: { S: "lease#odd" }, sk: { S: "lease" }, holder: { S: "a" } };
  await client.send(new PutItemCommand({ TableName: tableName, Item }));
  await expect(
    createDynamoLeaseStore({ client, tableName, cluster: "odd" }).read(),
  ).rejects.toThrow(
    "cannot read lease lease#odd: expected holder, version, clusterUid, durationMs and term, got ",
  );
});

test("rejects, and does not answer false, where the table is missing", async () => {
  const store = createDynamoLeaseStore({ client, tableName: "absent", cluster: "c" });
  const record = { holder: "a", version: "v", durationMs: 1, term: 1, clusterUid: "u" };
  await expect(store.write(record, undefined)).rejects.toThrow("resource not found");
});

test("rejects in the time it was given where the server does not answer", async () => {
  const silent = createServer(() => {});
  const deaf = clientOf(await listening(silent));
  const store = createDynamoLeaseStore({ client: deaf, tableName, cluster: "c", timeoutMs: 50 });
  await expect(store.read()).rejects.toThrow("aborted");
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

function clientOf(port: number): DynamoDBClient {
  const made = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: "eu-west-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 1,
  });
  clients.push(made);
  return made;
}
