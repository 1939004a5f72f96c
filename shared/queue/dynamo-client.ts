import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { observeAnswers } from "./answer-observer.ts";
import { AWS_TIMEOUTS, type AwsClientOptions } from "./aws-client-options.ts";
import { nameMissingTables } from "./missing-table.ts";

/** A client of DynamoDB with time limits. Makes no connection before its first call. */
export function createDynamoClient({
  observer,
  ...options
}: AwsClientOptions = {}): DynamoDBClient {
  const config: DynamoDBClientConfig = { ...options, requestHandler: AWS_TIMEOUTS };
  const client = new DynamoDBClient(config);
  nameMissingTables(client);
  if (observer) observeAnswers(client, observer);
  return client;
}
