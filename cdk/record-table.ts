import { RemovalPolicy } from "aws-cdk-lib";
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  Table,
  type WarmThroughput,
} from "aws-cdk-lib/aws-dynamodb";
import type { Construct } from "constructs";
import { DUE_INDEX } from "../shared/queue/dynamo-table.ts";

/**
 * The table of records, timers and leases, as `ensureTable` makes it in local mode; DynamoDB encrypts
 * every table, by a key of AWS's own where none is named. It goes with its stack: all that is in it
 * follows from the cluster, so that a new one costs a run an object.
 */
export function recordTable(scope: Construct, warmThroughput?: WarmThroughput): Table {
  const string = (name: string) => ({ name, type: AttributeType.STRING });
  const warm = warmThroughput && { warmThroughput };
  const table = new Table(scope, "Table", {
    partitionKey: string("pk"),
    sortKey: string("sk"),
    timeToLiveAttribute: "expiresAt",
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    removalPolicy: RemovalPolicy.DESTROY,
    ...warm,
  });
  table.addGlobalSecondaryIndex({
    indexName: DUE_INDEX,
    partitionKey: string("dueShard"),
    sortKey: { name: "dueAt", type: AttributeType.NUMBER },
    projectionType: ProjectionType.KEYS_ONLY,
    ...warm,
  });
  return table;
}
