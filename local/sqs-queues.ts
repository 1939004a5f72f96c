import {
  checkedAttributes,
  checkTogether,
  initialAttributes,
  knowsAttribute,
  redrivePolicyOf,
} from "./sqs-attributes.ts";
import { noQueue, SqsError } from "./sqs-error.ts";
import { integerOf, invalid, type SqsInput, textMapOf, textOf, textsOf } from "./sqs-input.ts";
import type { SqsQueue, SqsQueueAttributes } from "./sqs-queue.ts";
import type { SqsCall, SqsService } from "./sqs-service.ts";

/** Queues in one answer of ListQueues. */
const MAX_RESULTS = 1_000;

/** The action CreateQueue: answers the queue that is there if the given attributes are equal to its own. */
export function createQueue(core: SqsService, input: SqsInput, call: SqsCall): object {
  const name = textOf(input, "QueueName") ?? "";
  const given = textMapOf(input, "Attributes");
  const fifo = fifoOf(name, given);
  const checked = checkedAttributes(given, fifo);
  const existing = core.queues.get(name);
  if (existing) {
    checkSame(existing, checked);
  } else {
    const attributes = joined(initialAttributes(fifo), checked);
    checkTogether(attributes);
    checkRedrive(core, name, attributes);
    core.commit({ queue: name, step: { op: "create", attributes, atMs: core.clock.nowMs() } });
  }
  return { QueueUrl: core.urlOf(name, call) };
}

/** The action GetQueueUrl. */
export function getQueueUrl(core: SqsService, input: SqsInput, call: SqsCall): object {
  const name = textOf(input, "QueueName") ?? "";
  if (!core.queues.has(name)) throw noQueue(name);
  return { QueueUrl: core.urlOf(name, call) };
}

/** The action ListQueues. */
export function listQueues(core: SqsService, input: SqsInput, call: SqsCall): object {
  const prefix = textOf(input, "QueueNamePrefix") ?? "";
  const max = integerOf(input, "MaxResults", { min: 1, max: MAX_RESULTS });
  const after = textOf(input, "NextToken") ?? "";
  const names = [...core.queues.keys()]
    .filter((name) => name.startsWith(prefix) && name > after)
    .sort();
  const page = names.slice(0, max ?? MAX_RESULTS);
  return {
    ...(page.length > 0 && { QueueUrls: page.map((name) => core.urlOf(name, call)) }),
    ...(max !== undefined && names.length > max && { NextToken: page.at(-1) }),
  };
}

/** The action DeleteQueue; its messages and its memory of deduplication ids go with it. */
export function deleteQueue(core: SqsService, input: SqsInput): object {
  core.commit({ queue: core.queueOf(input).name, step: { op: "drop" } });
  return {};
}

/** The action PurgeQueue: messages in flight go too, deduplication ids stay. */
export function purgeQueue(core: SqsService, input: SqsInput): object {
  core.commit({ queue: core.queueOf(input).name, step: { op: "purge" } });
  return {};
}

/** The action GetQueueAttributes. */
export function getQueueAttributes(core: SqsService, input: SqsInput): object {
  const queue = core.queueOf(input);
  const asked = textsOf(input, "AttributeNames");
  const unknown = asked.find((name) => name !== "All" && !knowsAttribute(name, queue.fifo));
  if (unknown) throw new SqsError("InvalidAttributeName", `Unknown Attribute ${unknown}.`);
  core.dropExpired(queue);
  const all = attributesOf(core, queue);
  const Attributes = Object.fromEntries(
    Object.entries(all).filter(([name]) => asked.includes("All") || asked.includes(name)),
  );
  return Object.keys(Attributes).length > 0 ? { Attributes } : {};
}

/** The action SetQueueAttributes; an empty redrive policy takes it away. */
export function setQueueAttributes(core: SqsService, input: SqsInput): object {
  const queue = core.queueOf(input);
  const given = checkedAttributes(textMapOf(input, "Attributes"), queue.fifo);
  const attributes = joined(queue.attributes, given);
  checkTogether(attributes);
  checkRedrive(core, queue.name, attributes);
  const step = { op: "set", attributes, atMs: core.clock.nowMs() } as const;
  core.commit({ queue: queue.name, step });
  return {};
}

function fifoOf(name: string, given: SqsQueueAttributes): boolean {
  const fifo = name.endsWith(".fifo");
  if (name.length > 80 || !/^[A-Za-z0-9_-]+(\.fifo)?$/.test(name)) {
    const reason =
      "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length";
    throw invalid("QueueName", name, reason);
  }
  if (fifo !== (given.FifoQueue === "true")) {
    const reason = "The name of a FIFO queue ends in .fifo, and its attribute FifoQueue is true.";
    throw invalid("QueueName", name, reason);
  }
  return fifo;
}

function joined(old: SqsQueueAttributes, given: SqsQueueAttributes): SqsQueueAttributes {
  return Object.fromEntries(
    Object.entries({ ...old, ...given }).filter(([, value]) => value !== ""),
  );
}

function checkSame(existing: SqsQueue, given: SqsQueueAttributes): void {
  for (const [name, value] of Object.entries(given)) {
    if ((existing.attributes[name] ?? "") === value) continue;
    throw new SqsError(
      "QueueNameExists",
      `A queue already exists with the same name and a different value for attribute ${name}`,
    );
  }
}

function checkRedrive(core: SqsService, name: string, attributes: SqsQueueAttributes): void {
  const policy = redrivePolicyOf(attributes);
  if (!policy) return;
  const target = core.queueByArn(policy.deadLetterTargetArn);
  const reason = !target
    ? "Dead letter target does not exist."
    : target.name === name
      ? "Dead letter target is the queue itself."
      : target.fifo !== name.endsWith(".fifo")
        ? "Dead-letter queue must be same type of queue as the source."
        : undefined;
  if (reason) throw invalid("RedrivePolicy", attributes.RedrivePolicy ?? "", reason);
}

function attributesOf(core: SqsService, queue: SqsQueue): SqsQueueAttributes {
  const counts = queue.counts(core.clock.nowMs());
  return {
    ...queue.attributes,
    ApproximateNumberOfMessages: String(counts.visible),
    ApproximateNumberOfMessagesNotVisible: String(counts.inFlight),
    ApproximateNumberOfMessagesDelayed: String(counts.delayed),
    CreatedTimestamp: String(Math.floor(queue.createdAtMs / 1_000)),
    LastModifiedTimestamp: String(Math.floor(queue.modifiedAtMs / 1_000)),
    QueueArn: core.arnOf(queue.name),
  };
}
