import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { DynamoTable } from "./dynamo-read.ts";
import { itemPages } from "./dynamo-record-store.ts";
import { revisionPartition } from "./record-key.ts";
import type { RevisionStore } from "./record-store.ts";

/** Revisions in DynamoDB: items `controller#<cluster>` / `<name>` of the table of records. */
export function createDynamoRevisionStore(
  table: Pick<DynamoTable, "client" | "tableName">,
): RevisionStore {
  const { client, tableName } = table;
  return {
    revisions: async (cluster) => {
      const revisions = new Map<string, string>();
      const pages = itemPages(table, {
        ConsistentRead: true,
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": { S: revisionPartition(cluster) } },
      });
      for await (const items of pages) {
        for (const { sk, revision } of items) revisions.set(sk?.S ?? "", revision?.S ?? "");
      }
      return revisions;
    },
    putRevision: async (cluster, controller, revision) => {
      const Item = {
        pk: { S: revisionPartition(cluster) },
        sk: { S: controller },
        revision: { S: revision },
      };
      await client.send(new PutItemCommand({ TableName: tableName, Item }));
    },
  };
}
