import { batchEntries, runEntries } from "./sqs-batch.ts";
import { SqsError } from "./sqs-error.ts";
import { integerOf, invalid, missing, requiredTextOf, type SqsInput } from "./sqs-input.ts";
import type { SqsMessage } from "./sqs-message.ts";
import type { SqsQueue } from "./sqs-queue.ts";
import { expiredReceipt, receiptOf } from "./sqs-receipt.ts";
import type { SqsService } from "./sqs-service.ts";

/**
 * A message can be hidden for 12 hours from its receive, however often that is changed.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ChangeMessageVisibility.html
 */
const MAX_HIDDEN_SECONDS = 43_200;

/** The action DeleteMessage. */
export function deleteMessage(core: SqsService, input: SqsInput): object {
  return remove(core, core.queueOf(input), input);
}

/** The action DeleteMessageBatch. */
export function deleteMessageBatch(core: SqsService, input: SqsInput): object {
  const queue = core.queueOf(input);
  return runEntries(batchEntries(input), (entry) => remove(core, queue, entry));
}

/** The action ChangeMessageVisibility. */
export function changeMessageVisibility(core: SqsService, input: SqsInput): object {
  return change(core, core.queueOf(input), input);
}

/** The action ChangeMessageVisibilityBatch. */
export function changeMessageVisibilityBatch(core: SqsService, input: SqsInput): object {
  const queue = core.queueOf(input);
  return runEntries(batchEntries(input), (entry) => change(core, queue, entry));
}

/**
 * The handle of a message that is gone is answered like a success. On a FIFO queue a handle is dead
 * once the visibility timeout has passed; on a standard queue it works until the next receive, and
 * later is answered like a success without any effect.
 */
function remove(core: SqsService, queue: SqsQueue, input: SqsInput): object {
  const handle = requiredTextOf(input, "ReceiptHandle");
  const { seq, receipt } = receiptOf(queue.name, handle);
  const message = queue.message(seq);
  if (!message) return {};
  const stale = message.receipt !== receipt;
  if (queue.fifo && (stale || expired(core, message))) throw expiredReceipt(handle);
  if (!stale) core.commit({ queue: queue.name, step: { op: "remove", seqs: [seq] } });
  return {};
}

function change(core: SqsService, queue: SqsQueue, input: SqsInput): object {
  const handle = requiredTextOf(input, "ReceiptHandle");
  const seconds = integerOf(input, "VisibilityTimeout", { min: 0, max: MAX_HIDDEN_SECONDS });
  if (seconds === undefined) throw missing("VisibilityTimeout");
  const { seq, receipt } = receiptOf(queue.name, handle);
  const message = queue.message(seq);
  checkHeld(core, queue, { handle, receipt, message });

  const nowMs = core.clock.nowMs();
  const visibleAtMs = nowMs + seconds * 1_000;
  const limitMs = (message?.receivedAtMs ?? nowMs) + MAX_HIDDEN_SECONDS * 1_000;
  if (visibleAtMs > limitMs) {
    const reason = `Total VisibilityTimeout for the message is beyond the limit [${MAX_HIDDEN_SECONDS} seconds].`;
    throw invalid("VisibilityTimeout", seconds, reason);
  }
  const step = { op: "hide", seq, visibleAtMs, freed: seconds === 0 } as const;
  core.commit({ queue: queue.name, step });
  return {};
}

function checkHeld(
  core: SqsService,
  { fifo }: SqsQueue,
  held: {
    readonly handle: string;
    readonly receipt: string;
    readonly message: SqsMessage | undefined;
  },
): void {
  const { handle, receipt, message } = held;
  if (!message || (!fifo && message.receipt !== receipt)) {
    const reason = "Message does not exist or is not available for visibility timeout change.";
    throw invalid("ReceiptHandle", handle, reason);
  }
  if (message.receipt === receipt && message.freed) {
    throw new SqsError("MessageNotInflight", "The message referred to isn't in flight.");
  }
  if (fifo && (message.receipt !== receipt || expired(core, message))) throw expiredReceipt(handle);
}

function expired(core: SqsService, { visibleAtMs }: SqsMessage): boolean {
  return visibleAtMs <= core.clock.nowMs();
}
