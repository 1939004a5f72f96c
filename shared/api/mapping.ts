import type { Controller } from "./controller.ts";

/** The numbers of a controller's queue and event source mapping. All follow from its definition. */
export interface Mapping {
  /** Messages an invocation gets at most. */
  readonly batchSize: number;
  /** Invocations at a time; times the batch size it is what `maxConcurrentReconciles` allows. */
  readonly maximumConcurrency: number;
  readonly visibilityTimeoutSeconds: number;
  /** Receives after which the queue itself gives a message up. */
  readonly maxReceiveCount: number;
}

/** FIFO queues hand out at most 10. https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-parameters.html */
const MAX_BATCH_SIZE = 10;

/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html#services-sqs-event-source-config */
const VISIBILITY_PER_TIMEOUT = 6;

/** Receives after which a queue itself gives a message up: what no handler took. */
export const MAX_RECEIVE_COUNT = 50;

/** SQS remembers a deduplication id for so long. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-key-terms.html */
const DEDUPLICATION_SECONDS = 300;

/** The mapping that a controller's definition asks for. */
export function mappingOf(
  controller: Pick<Controller, "name" | "maxConcurrentReconciles" | "timeoutSeconds">,
): Mapping {
  const runs = controller.maxConcurrentReconciles;
  const batchSize = Math.min(MAX_BATCH_SIZE, Math.max(1, Math.floor(runs / 2)));
  const visibilityTimeoutSeconds = VISIBILITY_PER_TIMEOUT * controller.timeoutSeconds;
  // A message given up earlier would take the swallowed sends of its window along.
  if ((MAX_RECEIVE_COUNT - 1) * visibilityTimeoutSeconds <= DEDUPLICATION_SECONDS) {
    throw new Error(
      `cannot map controller ${controller.name}: expected (maxReceiveCount - 1) x visibility timeout ` +
        `above ${DEDUPLICATION_SECONDS} s, got ${MAX_RECEIVE_COUNT - 1} x ${visibilityTimeoutSeconds} s`,
    );
  }
  return {
    batchSize,
    maximumConcurrency: Math.floor(runs / batchSize),
    visibilityTimeoutSeconds,
    maxReceiveCount: MAX_RECEIVE_COUNT,
  };
}
