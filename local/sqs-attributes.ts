import { SqsError } from "./sqs-error.ts";
import type { SqsQueueAttributes } from "./sqs-queue.ts";

/**
 * Attributes that are numbers: lowest, highest, default.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
 */
const NUMBERS = new Map<string, readonly [min: number, max: number, initial: number]>([
  ["DelaySeconds", [0, 900, 0]],
  ["MaximumMessageSize", [1_024, 1_048_576, 1_048_576]],
  ["MessageRetentionPeriod", [60, 1_209_600, 345_600]],
  ["ReceiveMessageWaitTimeSeconds", [0, 20, 0]],
  ["VisibilityTimeout", [0, 43_200, 30]],
]);

/** Attributes with a choice of values, the default first. */
const CHOICES = new Map([["SqsManagedSseEnabled", ["true", "false"]]]);

const FIFO_CHOICES = new Map([
  ...CHOICES,
  ["FifoQueue", ["true"]],
  ["ContentBasedDeduplication", ["false", "true"]],
  ["DeduplicationScope", ["queue", "messageGroup"]],
  ["FifoThroughputLimit", ["perQueue", "perMessageGroupId"]],
]);

/** Kept and answered, without effect here. */
const STORED = ["Policy", "KmsMasterKeyId", "KmsDataKeyReusePeriodSeconds", "RedriveAllowPolicy"];

/** What `GetQueueAttributes` can be asked for beside the attributes that can be set. */
const COMPUTED_ATTRIBUTES = [
  "ApproximateNumberOfMessages",
  "ApproximateNumberOfMessagesNotVisible",
  "ApproximateNumberOfMessagesDelayed",
  "CreatedTimestamp",
  "LastModifiedTimestamp",
  "QueueArn",
];

/** Where messages go that were received too often. */
export interface RedrivePolicy {
  readonly deadLetterTargetArn: string;
  /** 1 to 1000; a message moves when it would be received once more. */
  readonly maxReceiveCount: number;
}

/** Whether a queue can have an attribute of that name. */
export function knowsAttribute(name: string, fifo: boolean): boolean {
  return (
    name === "RedrivePolicy" ||
    NUMBERS.has(name) ||
    choicesOf(fifo).has(name) ||
    STORED.includes(name) ||
    COMPUTED_ATTRIBUTES.includes(name)
  );
}

/** The attributes of a new queue. */
export function initialAttributes(fifo: boolean): SqsQueueAttributes {
  const numbers = [...NUMBERS].map(([name, [, , initial]]) => [name, String(initial)]);
  const choices = [...choicesOf(fifo)].map(([name, [initial]]) => [name, initial]);
  return Object.fromEntries([...numbers, ...choices]);
}

/**
 * The given attributes in the form in which they are kept, after a check of their values.
 * Rejects unknown names with InvalidAttributeName, and values that cannot be with InvalidAttributeValue.
 */
export function checkedAttributes(given: SqsQueueAttributes, fifo: boolean): SqsQueueAttributes {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, checked(name, value, fifo)]),
  );
}

/** Rejects attributes that do not go together. */
export function checkTogether({ DeduplicationScope, FifoThroughputLimit }: SqsQueueAttributes) {
  if (FifoThroughputLimit === "perMessageGroupId" && DeduplicationScope !== "messageGroup") {
    throw badValue(
      "FifoThroughputLimit",
      "perMessageGroupId needs DeduplicationScope messageGroup",
    );
  }
}

/** The redrive policy of a queue, where it has one. */
export function redrivePolicyOf(attributes: SqsQueueAttributes): RedrivePolicy | undefined {
  return attributes.RedrivePolicy
    ? (JSON.parse(attributes.RedrivePolicy) as RedrivePolicy)
    : undefined;
}

function choicesOf(fifo: boolean): ReadonlyMap<string, readonly string[]> {
  return fifo ? FIFO_CHOICES : CHOICES;
}

function checked(name: string, value: string, fifo: boolean): string {
  const range = NUMBERS.get(name);
  if (range) return checkedNumber(name, value, range);
  if (name === "RedrivePolicy") return value && checkedRedrive(value);
  const choice = choicesOf(fifo).get(name);
  if (choice && !choice.includes(value)) throw badValue(name, `expected ${choice.join(" or ")}`);
  if (!choice && !STORED.includes(name)) {
    throw new SqsError("InvalidAttributeName", `Unknown Attribute ${name}.`);
  }
  return value;
}

function checkedNumber(name: string, value: string, [min, max]: readonly number[]): string {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= (min ?? 0) && number <= (max ?? 0))) {
    throw badValue(name, `expected an integer from ${min} to ${max}, got ${value}`);
  }
  return String(number);
}

function checkedRedrive(value: string): string {
  const { deadLetterTargetArn, maxReceiveCount } = parsed(value);
  const count = Number(maxReceiveCount ?? 10);
  if (typeof deadLetterTargetArn !== "string" || !Number.isInteger(count)) {
    throw badValue(
      "RedrivePolicy",
      `expected deadLetterTargetArn and maxReceiveCount, got ${value}`,
    );
  }
  if (count < 1 || count > 1_000) {
    throw new SqsError(
      "InvalidParameterValue",
      `Value ${value} for parameter RedrivePolicy is invalid. Reason: Invalid value for maxReceiveCount: ${count}, valid values are from 1 to 1000 both inclusive.`,
    );
  }
  return JSON.stringify({ deadLetterTargetArn, maxReceiveCount: count });
}

function parsed(value: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(value));
  } catch (cause) {
    throw new SqsError("InvalidAttributeValue", "RedrivePolicy is not JSON.", { cause });
  }
}

function badValue(name: string, reason: string): SqsError {
  return new SqsError(
    "InvalidAttributeValue",
    `Invalid value for the parameter ${name}. Reason: ${reason}.`,
  );
}
