import { SQSClient, type SQSClientConfig } from "@aws-sdk/client-sqs";
import { observeAnswers } from "./answer-observer.ts";
import { AWS_TIMEOUTS, type AwsClientOptions } from "./aws-client-options.ts";

/** A client of SQS with time limits. Makes no connection before its first call. */
export function createSqsClient({ observer, ...options }: AwsClientOptions = {}): SQSClient {
  const config: SQSClientConfig = { ...options, requestHandler: AWS_TIMEOUTS };
  const client = new SQSClient(config);
  if (observer) observeAnswers(client, observer);
  return client;
}
