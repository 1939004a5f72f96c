/** A message as Lambda hands it over; only what is used. */
export interface SqsRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  /** https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
  readonly attributes?: { readonly ApproximateReceiveCount?: string };
}

/** The Lambda event of a queue. */
export interface SqsEvent {
  readonly Records: readonly SqsRecord[];
}

/** What Lambda says about one invocation. */
export interface Invocation {
  /** Milliseconds until the function is killed. */
  readonly getRemainingTimeInMillis: () => number;
  readonly awsRequestId?: string;
}

/**
 * The answer of a function with `ReportBatchItemFailures`: these messages stay in the queue, all
 * others are deleted. https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export interface BatchAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/** The Lambda export of a controller. */
export type ReconcileHandler = (event: SqsEvent, invocation: Invocation) => Promise<BatchAnswer>;
