import {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { Logger } from "../api/log.ts";
import type { Clock } from "../clock.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { boundedText } from "./bounded-text.ts";
import type { ReconcileRequest } from "./request.ts";
import { encodeRequest, uniqueCause } from "./request-codec.ts";
import type { OutgoingRequest, RequestQueue } from "./request-queue.ts";
import { type BatchCall, inBatches } from "./sqs-batch.ts";

export interface SqsRequestQueueOptions {
  readonly client: SQSClient;
  readonly queueUrl: string;
  /** Needed by `deadLetter` only. */
  readonly deadLetterQueueUrl?: string;
  readonly clock: Pick<Clock, "sleep">;
  readonly random: () => number;
  readonly newId: () => string;
  readonly log: Logger;
  /** Gets RequestsSent and SendFailures of each request; nobody else counts them. */
  readonly metrics: Metrics;
}

/**
 * The queue of one controller in SQS. No message has a delay of its own: FIFO queues refuse that
 * (B18). https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
export function createSqsRequestQueue(options: SqsRequestQueueOptions): RequestQueue {
  return {
    send: (requests) => sendRequests(options, requests),
    wake: (receiptHandle) => wake(options, receiptHandle),
    changeVisibility: (entries) => changeVisibility(options, entries),
    delete: (receiptHandles) => deleteMessages(options, receiptHandles),
    deadLetter: (request, error) => deadLetter(options, request, error),
  };
}

/** Seconds as SQS takes them: whole, rounded up so that nothing comes early, at most 12 hours. */
export function visibilitySeconds(seconds: number): number {
  return Math.min(MAX_VISIBILITY_SECONDS, Math.max(0, Math.ceil(seconds)));
}

const MAX_VISIBILITY_SECONDS = 43_200;

async function sendRequests(
  options: SqsRequestQueueOptions,
  requests: readonly OutgoingRequest[],
): Promise<readonly boolean[]> {
  const { client, queueUrl, log, metrics } = options;
  const accepted = await inBatches(requests, {
    ...options,
    call: async (entries) => {
      const Entries = entries.map(({ Id, entry }) => ({ Id, ...encodeRequest(entry) }));
      const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries });
      return (await client.send(command)).Failed;
    },
    refused: ({ request }, { code, message }) => {
      const { controller, namespace, name } = request;
      log.error("request was not accepted", { controller, namespace, name, code, error: message });
    },
  });
  for (const [index, { request }] of requests.entries()) {
    const { controller, reason } = request;
    if (accepted[index]) metrics.count("RequestsSent", { controller, reason });
    else metrics.count("SendFailures", { controller });
  }
  return accepted;
}

async function wake(
  { client, queueUrl, log }: SqsRequestQueueOptions,
  ReceiptHandle: string,
): Promise<void> {
  const input = { QueueUrl: queueUrl, ReceiptHandle, VisibilityTimeout: 0 };
  try {
    await client.send(new ChangeMessageVisibilityCommand(input));
  } catch (error) {
    // Step 5: the message is visible, gone or another's by now, or waits out its backoff after all.
    log.debug("waiting message was not woken", { error });
  }
}

function changeVisibility(
  options: SqsRequestQueueOptions,
  entries: Parameters<RequestQueue["changeVisibility"]>[0],
): Promise<readonly boolean[]> {
  const { client, queueUrl } = options;
  return inBatches(entries, {
    ...options,
    ...logged(options, "visibility was not changed"),
    call: async (batch) => {
      const Entries = batch.map(({ Id, entry }) => ({
        Id,
        ReceiptHandle: entry.receiptHandle,
        VisibilityTimeout: visibilitySeconds(entry.seconds),
      }));
      const command = new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries });
      return (await client.send(command)).Failed;
    },
  });
}

function deleteMessages(
  options: SqsRequestQueueOptions,
  receiptHandles: readonly string[],
): Promise<readonly boolean[]> {
  const { client, queueUrl } = options;
  return inBatches(receiptHandles, {
    ...options,
    ...logged(options, "message was not acknowledged"),
    call: async (batch) => {
      const Entries = batch.map(({ Id, entry }) => ({ Id, ReceiptHandle: entry }));
      const command = new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries });
      return (await client.send(command)).Failed;
    },
  });
}

async function deadLetter(
  { client, deadLetterQueueUrl, newId }: SqsRequestQueueOptions,
  request: ReconcileRequest,
  error: string,
): Promise<void> {
  const { controller, namespace, name } = request;
  if (deadLetterQueueUrl === undefined) {
    throw new Error(
      `cannot give up ${controller} ${namespace}/${name}: expected the URL of a dead-letter queue, got none; set deadLetterQueueUrl`,
    );
  }
  // Its next run, if any, is a redrive's (Q10: a unique id).
  const redriven = {
    request: { ...request, reason: "redrive" as const },
    cause: uniqueCause(newId),
  };
  await client.send(
    new SendMessageCommand({
      QueueUrl: deadLetterQueueUrl,
      ...encodeRequest(redriven),
      MessageAttributes: { error: { DataType: "String", StringValue: attributeText(error) } },
    }),
  );
}

function logged<E>(
  { log }: SqsRequestQueueOptions,
  message: string,
): Pick<BatchCall<E>, "refused"> {
  return { refused: (_entry, { code, message: error }) => log.warn(message, { code, error }) };
}

/** SQS takes no empty values, and no characters that XML does not know. */
function attributeText(text: string): string {
  const printable = text.replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "?");
  return boundedText(printable, 1_024) || "unknown";
}
