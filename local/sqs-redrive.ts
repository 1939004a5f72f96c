import { redrivePolicyOf } from "./sqs-attributes.ts";
import { noQueue, SqsError } from "./sqs-error.ts";
import { requiredTextOf, type SqsInput, textOf } from "./sqs-input.ts";
import type { SqsMessage } from "./sqs-message.ts";
import type { SqsQueue } from "./sqs-queue.ts";
import type { SqsCall, SqsService } from "./sqs-service.ts";
import type { SqsChange } from "./sqs-store.ts";

/**
 * Moves those of the messages that were received too often into the dead-letter queue; returns
 * whether there were any. Like AWS it does so when the message would be received once more.
 *
 * Id, body and receive count stay. In a FIFO queue the deduplication id becomes the message's id,
 * so that messages with equal ids are all kept, and the time of sending is set anew.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-dead-letter-queues.html
 */
export function buryDead(
  core: SqsService,
  queue: SqsQueue,
  messages: readonly SqsMessage[],
): boolean {
  const policy = redrivePolicyOf(queue.attributes);
  const target = policy && core.queueByArn(policy.deadLetterTargetArn);
  if (!target) return false; // Where the dead-letter queue was deleted the messages stay.
  const dead = messages.filter(({ receiveCount }) => receiveCount >= policy.maxReceiveCount);
  const sourceArn = core.arnOf(queue.name);
  core.commit(
    ...dead.flatMap((message) => {
      const fresh = queue.fifo && { dedupId: message.id, sentAtMs: core.clock.nowMs() };
      return move(core, { from: queue, to: target }, { ...message, ...fresh, sourceArn });
    }),
  );
  return dead.length > 0;
}

/**
 * The action StartMessageMoveTask: moves all messages that can be received out of a dead-letter
 * queue at once, by default each into the queue that it came from, as a new message.
 */
export function startMessageMoveTask(core: SqsService, input: SqsInput): object {
  const sourceArn = requiredTextOf(input, "SourceArn");
  const from = queueOfArn(core, sourceArn);
  const destinationArn = textOf(input, "DestinationArn");
  const destination = destinationArn === undefined ? undefined : queueOfArn(core, destinationArn);
  if (deadLetterSources(core, from).length === 0) {
    throw new SqsError(
      "InvalidParameterValue",
      "Source queue must be configured as a Dead Letter Queue.",
    );
  }
  const nowMs = core.clock.nowMs();
  const changes = [...from.messages()].flatMap((message) => {
    const to = destination ?? core.queueByArn(message.sourceArn ?? "");
    if (!to || message.visibleAtMs > nowMs) return [];
    const { body, attributes, groupId, dedupId, traceHeader, seq } = message;
    const content = { body, attributes, groupId, dedupId, traceHeader, id: core.newId() };
    return move(core, { from, to }, { ...content, seq, sentAtMs: nowMs, receiveCount: 0 });
  });
  core.commit(...changes);
  return { TaskHandle: Buffer.from(`${sourceArn} ${core.newId()}`).toString("base64url") };
}

/** The action ListDeadLetterSourceQueues. Its answer's field has a small letter in AWS too. */
export function listDeadLetterSourceQueues(
  core: SqsService,
  input: SqsInput,
  call: SqsCall,
): object {
  const sources = deadLetterSources(core, core.queueOf(input));
  return { queueUrls: sources.map(({ name }) => core.urlOf(name, call)) };
}

function move(
  core: SqsService,
  { from, to }: { readonly from: SqsQueue; readonly to: SqsQueue },
  { seq: oldSeq, ...message }: Omit<SqsMessage, "visibleAtMs">,
): SqsChange[] {
  const { receipt: _, ...rest } = message;
  const moved = { ...rest, seq: core.takeSeq(), visibleAtMs: core.clock.nowMs() };
  return [
    { queue: from.name, step: { op: "remove", seqs: [oldSeq] } },
    { queue: to.name, step: { op: "add", message: moved } },
  ];
}

function deadLetterSources(core: SqsService, target: SqsQueue): SqsQueue[] {
  const arn = core.arnOf(target.name);
  return [...core.queues.values()].filter(
    ({ attributes }) => redrivePolicyOf(attributes)?.deadLetterTargetArn === arn,
  );
}

function queueOfArn(core: SqsService, arn: string): SqsQueue {
  const queue = core.queueByArn(arn);
  if (queue) return queue;
  const { message } = noQueue(arn);
  throw new SqsError("ResourceNotFoundException", message);
}
