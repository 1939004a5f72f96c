import { afterAll, beforeAll, describe } from "@jest/globals";
import { systemClock } from "../../shared/clock.ts";
import { createDynamoLeaseStore } from "../../shared/lease/dynamo-lease-store.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { createDynamoRecordStore } from "../../shared/queue/dynamo-record-store.ts";
import { createDynamoRevisionStore } from "../../shared/queue/dynamo-revision-store.ts";
import { ensureTable } from "../../shared/queue/dynamo-table.ts";
import { leaseStoreContract } from "../contract/lease-store-contract.ts";
import { recordStoreContract } from "../contract/record-store-contract.ts";
import { MOTO_START_LIMIT_MS, type Moto, startMoto } from "./moto.ts";

const tableName = "tidegate";
let moto: Moto;
let client: ReturnType<typeof createDynamoClient>;
let clusters = 0;

beforeAll(async () => {
  // Threads would let two conditional writes of one item succeed, which DynamoDB never does:
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithItems.html
  moto = await startMoto({ threaded: false });
  client = createDynamoClient({
    endpoint: moto.url,
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  await ensureTable(client, tableName, systemClock);
}, MOTO_START_LIMIT_MS);

afterAll(async () => {
  client?.destroy();
  await moto?.stop();
});

describe("moto's DynamoDB", () => {
  recordStoreContract(() => {
    const table = { client, tableName, clock: systemClock, random: Math.random };
    return { ...createDynamoRecordStore(table), ...createDynamoRevisionStore(table) };
  });

  leaseStoreContract("leases", async () => {
    clusters += 1;
    const options = { client, tableName, cluster: `lease-${clusters}` };
    return [createDynamoLeaseStore(options), createDynamoLeaseStore(options)];
  });
});
