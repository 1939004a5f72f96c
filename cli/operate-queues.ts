import { GetQueueAttributesCommand, GetQueueUrlCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { QueueUrls } from "../local/dev-queues.ts";
import { queueNames } from "../shared/queue/queue-names.ts";

/** How many messages a queue holds, about. */
export interface QueueCounts {
  /** Could be received now. */
  readonly waiting: number;
  /** Received, and neither acknowledged nor back: in a run, or waiting out a backoff. */
  readonly inFlight: number;
}

/** The URLs of a controller's queues. Rejects with one line where there are none. */
export async function queueUrls(
  sqs: SQSClient,
  { cluster, controller }: { readonly cluster: string; readonly controller: string },
): Promise<QueueUrls> {
  const names = queueNames(cluster, controller);
  const queueUrl = await queueUrlOf(sqs, names.queue);
  return { queueUrl, deadLetterQueueUrl: await queueUrlOf(sqs, names.deadLetterQueue) };
}

/** The URL of a queue. Rejects with one line where there is none of this name. */
async function queueUrlOf(sqs: SQSClient, QueueName: string): Promise<string> {
  try {
    const { QueueUrl = "" } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    return QueueUrl;
  } catch (error) {
    if (!(error instanceof Error) || !/QueueDoesNotExist|NonExistentQueue/.test(error.name))
      throw error;
    throw new MissingQueueError(
      `cannot find queue ${QueueName}: expected it to be there, got none; deploy the controller, or check --cluster and --region`,
      { cause: error },
    );
  }
}

/** There is no queue of this name. */
export class MissingQueueError extends Error {
  override readonly name = "MissingQueueError";
}

/** The ARN of a queue. */
export async function queueArn(sqs: SQSClient, name: string): Promise<string> {
  const { QueueArn = "" } = await queueAttributes(sqs, await queueUrlOf(sqs, name));
  return QueueArn;
}

/** All attributes of a queue. Receives nothing: that would lock message groups. */
export async function queueAttributes(
  sqs: SQSClient,
  QueueUrl: string,
): Promise<Readonly<Partial<Record<string, string>>>> {
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] });
  return (await sqs.send(command)).Attributes ?? {};
}

/** How full a queue is. */
export async function queueCounts(sqs: SQSClient, queueUrl: string): Promise<QueueCounts> {
  const attributes = await queueAttributes(sqs, queueUrl);
  return {
    waiting: Number(attributes.ApproximateNumberOfMessages ?? 0),
    inFlight: Number(attributes.ApproximateNumberOfMessagesNotVisible ?? 0),
  };
}
