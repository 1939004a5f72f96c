import type { DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import type { AnswerObserver } from "./answer-observer.ts";

/**
 * What differs from the SDK's standard environment (`AWS_REGION`, `AWS_ENDPOINT_URL_DYNAMODB`,
 * `AWS_ENDPOINT_URL_SQS`, its credential chain).
 */
export interface AwsClientOptions {
  readonly region?: string;
  readonly endpoint?: string;
  readonly credentials?: NonNullable<DynamoDBClientConfig["credentials"]>;
  /** Told of each answer's Date header: the `ServerClock`, where there is one. */
  readonly observer?: AnswerObserver;
}

/** Time limits of each attempt; the SDK sets none by itself and would wait for ever on a dead connection. */
export const AWS_TIMEOUTS = {
  connectionTimeout: 1_000,
  requestTimeout: 3_000,
  // Without this the SDK only logs a warning when requestTimeout has passed.
  throwOnRequestTimeout: true,
} as const;
