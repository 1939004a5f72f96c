import {
  ChangeMessageVisibilityBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { chunksOf } from "../shared/queue/chunks-of.ts";
import type { ReconcileRequest } from "../shared/queue/request.ts";
import { decodeRequest } from "../shared/queue/request-codec.ts";

/** A message of a dead-letter queue. */
export interface DeadLetter {
  readonly messageId: string;
  readonly receiptHandle: string;
  /** By the clock of SQS. */
  readonly sentAtMs: number;
  /** Undefined: it has no readable key. Its text is nobody's to show. */
  readonly request?: ReconcileRequest;
  /** Why it ended here, where the worker said so; else the queue gave it up, for no run took it. */
  readonly error?: string;
}

/** As many as a receive may ask for. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html */
const MESSAGES_A_CALL = 10;
/** Long polling, for a short one may answer with nothing though there is something. */
const WAIT_SECONDS = 1;
/** What is taken is hidden from others for so long, should we be interrupted. */
const HIDDEN_SECONDS = 60;

/**
 * Takes up to `limit` dead letters, hidden from others for a minute. None means that there are no
 * more, or that somebody else has them: of one object SQS hands out the next only after those that
 * are taken were deleted.
 */
export async function takeDeadLetters(
  sqs: SQSClient,
  { queueUrl, limit }: { readonly queueUrl: string; readonly limit: number },
  signal?: AbortSignal,
): Promise<readonly DeadLetter[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: Math.min(MESSAGES_A_CALL, limit),
    VisibilityTimeout: HIDDEN_SECONDS,
    WaitTimeSeconds: WAIT_SECONDS,
    MessageAttributeNames: ["All"],
    MessageSystemAttributeNames: ["SentTimestamp"],
  });
  const { Messages = [] } = await sqs.send(command, signal ? { abortSignal: signal } : {});
  return Messages.map(letterOf);
}

/** Puts letters back that were taken. What it cannot put back comes back by itself within a minute. */
export async function putBack(
  sqs: SQSClient,
  QueueUrl: string,
  letters: readonly DeadLetter[],
): Promise<void> {
  for (const part of chunksOf(letters, MESSAGES_A_CALL)) {
    const Entries = part.map(({ receiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: 0,
    }));
    await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries })).catch(() => {}); // Safe: see above.
  }
}

/** Looks at up to `limit` dead letters and puts them back. Of one object ten are seen at most. */
export async function peekDeadLetters(
  sqs: SQSClient,
  { queueUrl, limit }: { readonly queueUrl: string; readonly limit: number },
): Promise<readonly DeadLetter[]> {
  const taken: DeadLetter[] = [];
  try {
    while (taken.length < limit) {
      const more = await takeDeadLetters(sqs, { queueUrl, limit: limit - taken.length });
      if (more.length === 0) break;
      taken.push(...more);
    }
  } finally {
    await putBack(sqs, queueUrl, taken);
  }
  return taken;
}

function letterOf({
  MessageId = "",
  ReceiptHandle = "",
  Body = "",
  Attributes,
  MessageAttributes,
}: Message): DeadLetter {
  const decoded = decodeRequest(Body);
  const error = MessageAttributes?.error?.StringValue;
  const common = {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    sentAtMs: Number(Attributes?.SentTimestamp ?? 0),
    ...(error === undefined ? {} : { error }),
  };
  if ("unreadable" in decoded) return common;
  return { ...common, request: "ok" in decoded ? decoded.ok : decoded.newer };
}
