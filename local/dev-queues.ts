import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SetQueueAttributesCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { queueNames, RETENTION_SECONDS } from "../shared/queue/queue-names.ts";
import type { FunctionFolder } from "./function-folder.ts";

export interface QueueUrls {
  readonly queueUrl: string;
  readonly deadLetterQueueUrl: string;
}

/**
 * Makes the queue of a controller and its dead-letter queue, or finds them again. What may change
 * with an edit of the definition is set anew.
 */
export async function ensureQueues(
  sqs: SQSClient,
  cluster: string,
  { name, mapping }: Pick<FunctionFolder, "name" | "mapping">,
): Promise<QueueUrls> {
  const fixed = {
    FifoQueue: "true",
    DeduplicationScope: "messageGroup",
    FifoThroughputLimit: "perMessageGroupId",
  };
  const names = queueNames(cluster, name);
  const deadLetterQueueUrl = await create(sqs, names.deadLetterQueue, fixed);
  const queueUrl = await create(sqs, names.queue, fixed);
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: deadLetterQueueUrl, AttributeNames: ["QueueArn"] }),
  );
  const redrive = {
    deadLetterTargetArn: Attributes?.QueueArn,
    maxReceiveCount: mapping.maxReceiveCount,
  };
  const retention = { MessageRetentionPeriod: String(RETENTION_SECONDS) };
  await set(sqs, deadLetterQueueUrl, retention);
  await set(sqs, queueUrl, {
    ...retention,
    VisibilityTimeout: String(mapping.visibilityTimeoutSeconds),
    RedrivePolicy: JSON.stringify(redrive),
  });
  return { queueUrl, deadLetterQueueUrl };
}

async function create(
  sqs: SQSClient,
  QueueName: string,
  Attributes: Record<string, string>,
): Promise<string> {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
  if (QueueUrl === undefined) throw new Error(`cannot create queue ${QueueName}: got no URL`);
  return QueueUrl;
}

async function set(
  sqs: SQSClient,
  QueueUrl: string,
  Attributes: Record<string, string>,
): Promise<void> {
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
}
