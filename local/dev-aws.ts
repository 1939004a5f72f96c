import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";
import { createDynamoLeaseStore } from "../shared/lease/dynamo-lease-store.ts";
import type { LeaseStore } from "../shared/lease/lease-store.ts";
import { createDynamoClient } from "../shared/queue/dynamo-client.ts";
import { createDynamoRevisionStore } from "../shared/queue/dynamo-revision-store.ts";
import { ensureTable, tableExists } from "../shared/queue/dynamo-table.ts";
import type { RevisionStore } from "../shared/queue/record-store.ts";
import type { DevPlace } from "./dev-place.ts";
import { startDynamoDbServer } from "./dynamodb-server.ts";
import { startSqsServer } from "./sqs-server.ts";

/** Queue and table for controllers on this machine, with what a process needs to use them. */
export interface DevAws {
  readonly sqs: SQSClient;
  readonly revisions: RevisionStore;
  /** Of the watcher of a cluster. */
  readonly leases: (cluster: string) => LeaseStore;
  /** What holds only where nobody else uses them; absent in AWS. */
  readonly own?: {
    /** Makes the table again where somebody deleted it; resolves to whether it did. */
    readonly restoreTable: () => Promise<boolean>;
    /** Where it is, for others on this machine. */
    readonly place: Pick<DevPlace, "table" | "region" | "sqsEndpoint" | "dynamoDbEndpoint">;
  };
  /** Points the SDK of a child process here. */
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

const TABLE = "tidegate";

/** The servers ask for no credentials; the SDK wants some all the same. */
const REGION = "us-east-1";
const CREDENTIALS = { accessKeyId: "local", secretAccessKey: "local" };

/** Longer than the longest long poll. */
export const RECEIVE_TIMEOUT_MS = 30_000;

export interface DevAwsOptions {
  readonly dataDir: string;
  /** Of the queue; the table's is the next one. */
  readonly port: number;
  /** A server of SQS and DynamoDB to use instead of those on this machine. */
  readonly awsEndpoint?: string | undefined;
}

/** Connects to the given endpoint, or else starts both servers; makes the table if it is not there. */
export async function startDevAws(
  { awsEndpoint, ...place }: DevAwsOptions,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<DevAws> {
  const servers =
    awsEndpoint === undefined
      ? await startServers(place, { clock, log })
      : {
          sqsUrl: awsEndpoint,
          dynamoDbUrl: awsEndpoint,
          forgetSent: () => {}, // It remembers for 5 minutes, and nobody can tell it not to.
          close: async () => {},
        };
  try {
    return await connect(servers, clock);
  } catch (error) {
    await servers.close();
    throw awsEndpoint === undefined ? error : unusable(awsEndpoint, error);
  }
}

function unusable(awsEndpoint: string, cause: unknown): Error {
  const got = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new Error(
    `cannot use --aws-endpoint ${awsEndpoint}: expected a server of SQS and DynamoDB, got "${got}"; start one there, or leave the option out`,
    { cause },
  );
}

interface Servers {
  readonly sqsUrl: string;
  readonly dynamoDbUrl: string;
  readonly forgetSent: () => void;
  readonly close: () => Promise<void>;
}

/**
 * Starts both servers, with their state below `dataDir`. What was received before is there at once,
 * not after the queue's visibility timeout, unless its run has begun.
 */
async function startServers(
  { dataDir, port }: Omit<DevAwsOptions, "awsEndpoint">,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<Servers> {
  const sqs = await startSqsServer({
    clock,
    newId: randomUUID,
    log,
    dir: join(dataDir, "sqs"),
    port,
  });
  try {
    // Sound, since whoever received was a child of the process that had this folder, and the child's
    // channel ends it with that one. A child that is stuck still holds its record's lock (Q4).
    sqs.core.giveBackUnheard();
    const dynamoDb = await startDynamoDbServer({ dir: join(dataDir, "dynamodb"), port: port + 1 });
    const close = async () => {
      await Promise.all([sqs.close(), dynamoDb.close()]);
    };
    const forgetSent = () => sqs.core.forgetSent();
    return { sqsUrl: sqs.url, dynamoDbUrl: dynamoDb.url, forgetSent, close };
  } catch (error) {
    await sqs.close();
    throw error;
  }
}

async function connect(servers: Servers, clock: Clock): Promise<DevAws> {
  const { sqsUrl, dynamoDbUrl, forgetSent, close } = servers;
  const shared = { region: REGION, credentials: CREDENTIALS };
  const dynamo = createDynamoClient({ ...shared, endpoint: dynamoDbUrl });
  const makeTable = async () => {
    const made = await ensureTable(dynamo, TABLE, clock);
    // Epochs begin anew, and so do the ids that are made of them (Q1).
    if (made) forgetSent();
    return made;
  };
  await makeTable();
  const sqs = new SQSClient({
    ...shared,
    endpoint: sqsUrl,
    requestHandler: { requestTimeout: RECEIVE_TIMEOUT_MS },
  });
  return {
    sqs,
    ...storesOf(dynamo, TABLE),
    own: {
      restoreTable: async () => !(await tableExists(dynamo, TABLE)) && makeTable(),
      place: { table: TABLE, region: REGION, sqsEndpoint: sqsUrl, dynamoDbEndpoint: dynamoDbUrl },
    },
    env: {
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      AWS_ENDPOINT_URL_SQS: sqsUrl,
      AWS_ENDPOINT_URL_DYNAMODB: dynamoDbUrl,
      TIDEGATE_TABLE: TABLE,
    },
    close: async () => {
      sqs.destroy();
      dynamo.destroy();
      await close();
    },
  };
}

/** What a table keeps for those who run controllers. */
export function storesOf(
  client: DynamoDBClient,
  tableName: string,
): Pick<DevAws, "revisions" | "leases"> {
  return {
    revisions: createDynamoRevisionStore({ client, tableName }),
    leases: (cluster) => createDynamoLeaseStore({ client, tableName, cluster }),
  };
}
