import { Duration, Validations } from "aws-cdk-lib";
import {
  DeduplicationScope,
  FifoThroughputLimit,
  Queue,
  QueueEncryption,
  type QueueProps,
} from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { Mapping } from "../shared/api/mapping.ts";
import { queueNames, RETENTION_SECONDS } from "../shared/queue/queue-names.ts";

export interface ControllerQueues {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;
}

/** The queue of a controller, and the queue of what it gave up, under the names by which commands find them. */
export function controllerQueues(
  scope: Construct,
  at: { readonly cluster: string; readonly controller: string; readonly mapping: Mapping },
): ControllerQueues {
  const { visibilityTimeoutSeconds, maxReceiveCount } = at.mapping;
  const names = queueNames(at.cluster, at.controller);
  for (const name of Object.values(names)) checkLength(name);
  const deadLetterQueue = new Queue(scope, "DeadLetterQueue", {
    ...COMMON,
    queueName: names.deadLetterQueue,
  });
  Validations.of(deadLetterQueue).acknowledge({ id: "Serverless-SQSRedrivePolicy", reason: LAST });
  const queue = new Queue(scope, "Queue", {
    ...COMMON,
    queueName: names.queue,
    visibilityTimeout: Duration.seconds(visibilityTimeoutSeconds),
    deadLetterQueue: { queue: deadLetterQueue, maxReceiveCount },
  });
  return { queue, deadLetterQueue };
}

const LAST =
  "It is the dead-letter queue: nothing receives from it but people, who send on what they read.";

const COMMON: QueueProps = {
  fifo: true,
  // High throughput: objects never wait for one another. Set from the start: a change of the scope does
  // not reach a queue that is there.
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/high-throughput-fifo.html
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
  retentionPeriod: Duration.seconds(RETENTION_SECONDS),
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
};

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html */
const MAX_NAME_CHARACTERS = 80;

function checkLength(name: string): void {
  if (name.length <= MAX_NAME_CHARACTERS) return;
  throw new Error(
    `cannot name queue ${name}: expected at most ${MAX_NAME_CHARACTERS} characters, got ${name.length}; give the controller a shorter name`,
  );
}
