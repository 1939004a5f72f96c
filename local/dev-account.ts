import { SQSClient } from "@aws-sdk/client-sqs";
import type { Clock } from "../shared/clock.ts";
import { createDynamoClient } from "../shared/queue/dynamo-client.ts";
import { ensureTable } from "../shared/queue/dynamo-table.ts";
import { type DevAws, RECEIVE_TIMEOUT_MS, storesOf } from "./dev-aws.ts";

/** A table in AWS, and the queues beside it. */
export interface DevAccount {
  readonly table: string;
  /** Default: that of the environment or profile. */
  readonly region?: string;
}

/** Tells child processes which account: what the SDK reads, and nothing else. */
const AWS_VARIABLE = /^AWS_/;

/**
 * Queue and table in AWS, with the credentials of the environment; makes the table if it is not there.
 * Others may use both, so neither is repaired, nor a lease released. Rejects with one line where AWS
 * cannot be used.
 */
export async function connectDevAccount(
  { table, region }: DevAccount,
  { clock, env }: { readonly clock: Clock; readonly env: NodeJS.ProcessEnv },
): Promise<DevAws> {
  const place = region === undefined ? {} : { region };
  const dynamo = createDynamoClient(place);
  const sqs = new SQSClient({ ...place, requestHandler: { requestTimeout: RECEIVE_TIMEOUT_MS } });
  const close = async () => {
    sqs.destroy();
    dynamo.destroy();
  };
  try {
    await ensureTable(dynamo, table, clock);
    return {
      sqs,
      ...storesOf(dynamo, table),
      env: {
        ...Object.fromEntries(Object.entries(env).filter(([name]) => AWS_VARIABLE.test(name))),
        AWS_REGION: await dynamo.config.region(),
        TIDEGATE_TABLE: table,
      } as Record<string, string>,
      close,
    };
  } catch (cause) {
    await close();
    const got = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    throw new Error(
      `cannot use table ${table} in AWS: expected credentials, a region and access to DynamoDB, got "${got}"; set AWS_PROFILE or the like, and --region`,
      { cause },
    );
  }
}
