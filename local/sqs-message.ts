import { createHash } from "node:crypto";

/** The value of a message attribute, as in the JSON protocol: binary values are base64. */
export interface SqsAttributeValue {
  readonly DataType: string;
  readonly StringValue?: string;
  readonly BinaryValue?: string;
}

/** What is given at a send. */
export interface SqsContent {
  readonly id: string;
  readonly body: string;
  readonly groupId?: string | undefined;
  readonly dedupId?: string | undefined;
  readonly attributes?: Readonly<Record<string, SqsAttributeValue>> | undefined;
  readonly traceHeader?: string | undefined;
}

/** A message in a queue. All times are milliseconds since 1970, so that they mean the same after a restart. */
export interface SqsMessage extends SqsContent {
  /** Grows with each message of the server: the order within a group. */
  readonly seq: number;
  readonly sentAtMs: number;
  /** Delayed or in flight until then. */
  readonly visibleAtMs: number;
  readonly receiveCount: number;
  readonly firstReceivedAtMs?: number;
  readonly receivedAtMs?: number;
  /** Of the last receive. */
  readonly receipt?: string;
  /** Nothing was heard of its receiver since the last receive. */
  readonly unheard?: boolean;
  /** Made visible by a visibility timeout of 0, and not received since. */
  readonly freed?: boolean;
  /** The queue that it came from, in a dead-letter queue. */
  readonly sourceArn?: string;
}

/** The MD5 of a text in hexadecimal digits; the SDK compares it with its own. */
export function md5Of(text: string): string {
  return createHash("md5").update(text).digest("hex");
}

/**
 * The MD5 of message attributes: names in order, each with its type and value, all with their length.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html#sqs-attributes-md5-message-digest-calculation
 */
export function md5OfAttributes(
  attributes: Readonly<Record<string, SqsAttributeValue>> = {},
): string | undefined {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const hash = createHash("md5");
  const update = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const name of names) {
    const value = attributes[name] as SqsAttributeValue;
    update(Buffer.from(name));
    update(Buffer.from(value.DataType));
    hash.update(Buffer.from([value.BinaryValue === undefined ? 1 : 2]));
    update(valueBytes(value));
  }
  return hash.digest("hex");
}

/** Bytes that count towards the limit: the body and all of each attribute. */
export function sizeBytesOf({ body, attributes = {} }: Pick<SqsContent, "body" | "attributes">) {
  let bytes = Buffer.byteLength(body);
  for (const [name, value] of Object.entries(attributes)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value.DataType) + valueBytes(value).length;
  }
  return bytes;
}

/** The sequence number as text: as many digits for each, so that the order of texts is that of numbers. */
export function sequenceNumberOf(seq: number): string {
  return String(seq).padStart(20, "0");
}

/** The message as a receive answers it, with the attributes that were asked for. */
export function receivedMessage(
  message: SqsMessage,
  asked: { readonly system: readonly string[]; readonly own: readonly string[] },
  ReceiptHandle: string,
) {
  const attributes = pick(message.attributes ?? {}, asked.own);
  const system = pick(systemAttributesOf(message), asked.system);
  const digest = md5OfAttributes(attributes);
  return {
    MessageId: message.id,
    ReceiptHandle,
    MD5OfBody: md5Of(message.body),
    Body: message.body,
    ...(Object.keys(system).length > 0 && { Attributes: system }),
    ...(digest && { MD5OfMessageAttributes: digest, MessageAttributes: attributes }),
  };
}

function systemAttributesOf(message: SqsMessage): Record<string, string> {
  const { groupId, dedupId, traceHeader, sourceArn, firstReceivedAtMs } = message;
  return {
    SenderId: "local",
    SentTimestamp: String(message.sentAtMs),
    ApproximateReceiveCount: String(message.receiveCount),
    ...(firstReceivedAtMs !== undefined && {
      ApproximateFirstReceiveTimestamp: String(firstReceivedAtMs),
    }),
    ...(groupId !== undefined && { MessageGroupId: groupId }),
    ...(dedupId !== undefined && {
      MessageDeduplicationId: dedupId,
      SequenceNumber: sequenceNumberOf(message.seq),
    }),
    ...(traceHeader !== undefined && { AWSTraceHeader: traceHeader }),
    ...(sourceArn !== undefined && { DeadLetterQueueSourceArn: sourceArn }),
  };
}

/** The entries whose names are asked for: one by one, by `All` or `.*`, or by a prefix such as `trace.*`. */
function pick<T>(all: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  const asked = (name: string) =>
    names.some(
      (pattern) =>
        pattern === name ||
        pattern === "All" ||
        (pattern.endsWith(".*") && name.startsWith(pattern.slice(0, -2))),
    );
  return Object.fromEntries(Object.entries(all).filter(([name]) => asked(name)));
}

function valueBytes({ StringValue = "", BinaryValue }: SqsAttributeValue): Buffer {
  return BinaryValue === undefined ? Buffer.from(StringValue) : Buffer.from(BinaryValue, "base64");
}
