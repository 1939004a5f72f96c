import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import type { LeaseRecord, LeaseStore } from "./lease-store.ts";
import { LEASE_TIMES } from "./lease-times.ts";

export interface DynamoLeaseOptions {
  readonly client: DynamoDBClient;
  readonly tableName: string;
  readonly cluster: string;
  /** Of each call, repetitions included; default: half the renew deadline. */
  readonly timeoutMs?: number;
}

/**
 * The lease item of a cluster in DynamoDB: `pk` = `lease#<cluster>`, `sk` = `lease`. It has no
 * expiry of DynamoDB's, for that deletes days late or never (the Lease itself watches the version).
 *
 * `write` may answer false although it wrote: the client repeats a request whose answer was lost.
 */
export function createDynamoLeaseStore(options: DynamoLeaseOptions): LeaseStore {
  const { client, tableName, cluster, timeoutMs = LEASE_TIMES.renewDeadlineMs / 2 } = options;
  const key = { pk: { S: `lease#${cluster}` }, sk: { S: "lease" } };
  const limit = () => ({ abortSignal: AbortSignal.timeout(timeoutMs) });
  return {
    async read() {
      const query = { TableName: tableName, Key: key, ConsistentRead: true };
      const { Item } = await client.send(new GetItemCommand(query), limit());
      return Item && decodeLease(Item);
    },
    async write(record, seen) {
      const put = {
        TableName: tableName,
        Item: { ...key, ...encodeLease(record) },
        ...(seen === undefined ? { ConditionExpression: "attribute_not_exists(pk)" } : still(seen)),
      };
      try {
        await client.send(new PutItemCommand(put), limit());
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    },
  };
}

function still(version: string) {
  return {
    ConditionExpression: "#version = :seen",
    ExpressionAttributeNames: { "#version": "version" },
    ExpressionAttributeValues: { ":seen": { S: version } },
  };
}

function encodeLease({ holder, version, durationMs, term, clusterUid }: LeaseRecord) {
  return {
    holder: { S: holder },
    version: { S: version },
    durationMs: { N: String(durationMs) },
    term: { N: String(term) },
    clusterUid: { S: clusterUid },
  };
}

function decodeLease(item: Record<string, AttributeValue>): LeaseRecord {
  const { holder, version, clusterUid } = item;
  const durationMs = Number(item.durationMs?.N);
  const term = Number(item.term?.N);
  const texts = holder?.S !== undefined && version?.S !== undefined && clusterUid?.S !== undefined;
  if (!texts || !(durationMs > 0) || !Number.isInteger(term)) {
    throw new Error(
      `cannot read lease ${item.pk?.S}: expected holder, version, clusterUid, durationMs and term, got ${Object.keys(item).join(", ")}; delete the item`,
    );
  }
  return { holder: holder.S, version: version.S, durationMs, term, clusterUid: clusterUid.S };
}
