import { SqsError } from "./sqs-error.ts";
import { invalid, missing, objectOf, type SqsInput, textOf } from "./sqs-input.ts";
import { type SqsAttributeValue, type SqsContent, sizeBytesOf } from "./sqs-message.ts";
import type { SqsCall } from "./sqs-service.ts";

/** Attributes of a message at most. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
const MAX_ATTRIBUTES = 10;

/** Anything but the characters of XML 1.0, as the API reference of SendMessage lists them. */
const ILLEGAL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** What a send carries, with the right types; whether SQS would take it says `checkContent`. */
export type Content = Pick<SqsContent, "body" | "attributes" | "traceHeader">;

/** The body and attributes of a send; throws SerializationException where a type is wrong. */
export function readContent(input: SqsInput, { traceHeader }: SqsCall): Content {
  const attributes = attributesOf(input, "MessageAttributes");
  const system = attributesOf(input, "MessageSystemAttributes");
  return {
    body: textOf(input, "MessageBody") ?? "",
    ...(Object.keys(attributes).length > 0 && { attributes }),
    traceHeader: system.AWSTraceHeader?.StringValue ?? traceHeader,
  };
}

/** Throws what SQS answers to a body or attributes that it does not take. */
export function checkContent(content: Content, maxBytes: number): void {
  if (content.body === "") throw missing("MessageBody");
  if (ILLEGAL.test(content.body)) {
    throw new SqsError("InvalidMessageContents", "Invalid characters in the message body.");
  }
  const attributes = Object.entries(content.attributes ?? {});
  if (attributes.length > MAX_ATTRIBUTES) {
    throw new SqsError(
      "InvalidParameterValue",
      `Number of message attributes [${attributes.length}] exceeds the allowed maximum [${MAX_ATTRIBUTES}].`,
    );
  }
  for (const [name, value] of attributes) checkAttribute(name, value);
  if (sizeBytesOf(content) > maxBytes) {
    throw new SqsError(
      "InvalidParameterValue",
      `One or more parameters are invalid. Reason: Message must be shorter than ${maxBytes} bytes.`,
    );
  }
}

function attributesOf(input: SqsInput, field: string): Record<string, SqsAttributeValue> {
  const entries = Object.entries(objectOf(input[field] ?? {}, field));
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const fields = objectOf(value, `${field}.${name}`);
      const StringValue = textOf(fields, "StringValue");
      const BinaryValue = textOf(fields, "BinaryValue");
      return [
        name,
        {
          DataType: textOf(fields, "DataType") ?? "",
          ...(StringValue !== undefined && { StringValue }),
          ...(BinaryValue !== undefined && { BinaryValue }),
        },
      ];
    }),
  );
}

function checkAttribute(name: string, value: SqsAttributeValue): void {
  if (!legalName(name)) throw invalid("MessageAttributes", name, "The name is not legal.");
  const [type] = value.DataType.split(".");
  if (type !== "String" && type !== "Number" && type !== "Binary") {
    throw invalid("DataType", value.DataType, "Expected String, Number or Binary.");
  }
  const text = type === "Binary" ? value.BinaryValue : value.StringValue;
  const other = type === "Binary" ? value.StringValue : value.BinaryValue;
  if (!text || other !== undefined) {
    throw invalid("MessageAttributes", name, `Expected a value of type ${value.DataType}.`);
  }
  if (type === "Number" && !(text.trim() && Number.isFinite(Number(text)))) {
    throw invalid("MessageAttributes", name, `Could not cast ${text} to a number.`);
  }
  if (type !== "Binary" && ILLEGAL.test(text)) {
    throw invalid("MessageAttributes", name, "Invalid characters in the value.");
  }
}

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html */
function legalName(name: string): boolean {
  return (
    /^[A-Za-z0-9_.-]{1,256}$/.test(name) &&
    !/^\.|\.$|\.\./.test(name) &&
    !/^(aws|amazon)\./i.test(name)
  );
}
