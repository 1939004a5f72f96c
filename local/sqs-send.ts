import { createHash } from "node:crypto";
import { batchEntries, runEntries } from "./sqs-batch.ts";
import { type Content, checkContent, readContent } from "./sqs-content.ts";
import { DEDUPLICATION_MS } from "./sqs-dedup.ts";
import { SqsError } from "./sqs-error.ts";
import { integerOf, invalid, missing, type SqsInput, textOf } from "./sqs-input.ts";
import { md5Of, md5OfAttributes, sequenceNumberOf, sizeBytesOf } from "./sqs-message.ts";
import type { SqsQueue } from "./sqs-queue.ts";
import type { SqsCall, SqsService } from "./sqs-service.ts";

/** A batch's bodies and attributes together. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
const MAX_BATCH_BYTES = 1_048_576;

/**
 * 1 to 128 letters, digits and punctuation: ASCII without space and control characters.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
const LEGAL_ID = /^[\x21-\x7e]{1,128}$/;

/** The action SendMessage. */
export function sendMessage(core: SqsService, input: SqsInput, call: SqsCall): object {
  const queue = core.queueOf(input);
  checkNeededIds(queue, input);
  return send(core, queue, input, call);
}

/** The action SendMessageBatch. Ids that are missing fail the whole batch, as recorded from AWS; other faults an entry. */
export function sendMessageBatch(core: SqsService, input: SqsInput, call: SqsCall): object {
  const queue = core.queueOf(input);
  const entries = batchEntries(input);
  let bytes = 0;
  for (const entry of entries) {
    checkNeededIds(queue, entry);
    bytes += sizeBytesOf(readContent(entry, call));
  }
  if (bytes > MAX_BATCH_BYTES) {
    throw new SqsError(
      "BatchRequestTooLong",
      `Batch requests cannot be longer than ${MAX_BATCH_BYTES} bytes. You have sent ${bytes} bytes.`,
    );
  }
  return runEntries(entries, (entry) => send(core, queue, entry, call));
}

function send(core: SqsService, queue: SqsQueue, input: SqsInput, call: SqsCall): object {
  const content = readContent(input, call);
  const groupId = idOf(input, "MessageGroupId");
  const delaySeconds = delaySecondsOf(queue, input);
  checkContent(content, queue.number("MaximumMessageSize"));
  const dedupId = dedupIdOf(queue, input, content);
  const nowMs = core.clock.nowMs();
  const key = queue.dedupScope === "messageGroup" ? `${groupId} ${dedupId}` : dedupId;
  const original = key === undefined ? undefined : queue.dedup.find(key, nowMs);
  if (original) return sent(content, original);

  const message = {
    ...content,
    id: core.newId(),
    seq: core.takeSeq(),
    groupId,
    dedupId,
    sentAtMs: nowMs,
    visibleAtMs: nowMs + delaySeconds * 1_000,
    receiveCount: 0,
  };
  const { id: messageId, seq } = message;
  const first = { key: key ?? "", messageId, seq, untilMs: nowMs + DEDUPLICATION_MS };
  const step = { op: "add", message, ...(key !== undefined && { original: first }) } as const;
  core.commit({ queue: queue.name, step });
  return sent(content, queue.fifo ? first : { messageId });
}

/** The digests are those of what was just sent, also where it was swallowed: the SDK compares them. */
function sent(content: Content, { messageId, seq }: { messageId: string; seq?: number }) {
  const digest = md5OfAttributes(content.attributes);
  return {
    MessageId: messageId,
    MD5OfMessageBody: md5Of(content.body),
    ...(digest && { MD5OfMessageAttributes: digest }),
    ...(seq !== undefined && { SequenceNumber: sequenceNumberOf(seq) }),
  };
}

function checkNeededIds(queue: SqsQueue, input: SqsInput): void {
  if (!queue.fifo) return;
  if (!textOf(input, "MessageGroupId")) throw missing("MessageGroupId");
  const contentBased = queue.attributes.ContentBasedDeduplication === "true";
  if (textOf(input, "MessageDeduplicationId") === undefined && !contentBased) {
    throw new SqsError(
      "InvalidParameterValue",
      "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly",
    );
  }
}

function dedupIdOf(queue: SqsQueue, input: SqsInput, { body }: Content): string | undefined {
  const given = idOf(input, "MessageDeduplicationId");
  if (queue.fifo) return given ?? createHash("sha256").update(body).digest("hex");
  if (given !== undefined) throw wrongQueueType("MessageDeduplicationId", given);
  return undefined;
}

function idOf(input: SqsInput, name: string): string | undefined {
  const id = textOf(input, name);
  if (id !== undefined && !LEGAL_ID.test(id)) {
    const reason = `${name} can only include alphanumeric and punctuation characters. 1 to 128 in length.`;
    throw invalid(name, id, reason);
  }
  return id;
}

function delaySecondsOf(queue: SqsQueue, input: SqsInput): number {
  const given = integerOf(input, "DelaySeconds", { min: 0, max: 900 });
  if (queue.fifo && given) throw wrongQueueType("DelaySeconds", given);
  // On a FIFO queue AWS tolerates a delay of 0, and the queue's own holds.
  return queue.fifo || given === undefined ? queue.number("DelaySeconds") : given;
}

function wrongQueueType(name: string, value: string | number): SqsError {
  const reason = "The request include parameter that is not valid for this queue type.";
  return invalid(name, value, reason);
}
