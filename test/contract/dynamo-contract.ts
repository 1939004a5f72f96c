import { afterAll, beforeAll, describe } from "@jest/globals";
import { systemClock } from "../../shared/clock.ts";
import { createDynamoLeaseStore } from "../../shared/lease/dynamo-lease-store.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { createDynamoRecordStore } from "../../shared/queue/dynamo-record-store.ts";
import { createDynamoRevisionStore } from "../../shared/queue/dynamo-revision-store.ts";
import { ensureTable } from "../../shared/queue/dynamo-table.ts";
import { leaseStoreContract } from "./lease-store-contract.ts";
import { recordStoreContract } from "./record-store-contract.ts";

export interface DynamoPeer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Tests that a service does what our stores of records, revisions and leases need of DynamoDB. */
export function dynamoContract(
  name: string,
  start: () => Promise<DynamoPeer>,
  { startLimitMs }: { readonly startLimitMs: number },
): void {
  const tableName = "tidegate";
  let peer: DynamoPeer | undefined;
  let client: ReturnType<typeof createDynamoClient>;
  let clusters = 0;

  beforeAll(async () => {
    peer = await start();
    client = createDynamoClient({
      endpoint: peer.url,
      region: "us-east-1",
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
    });
    await ensureTable(client, tableName, systemClock);
  }, startLimitMs);

  afterAll(async () => {
    client?.destroy();
    await peer?.stop();
  });

  describe(name, () => {
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
}
