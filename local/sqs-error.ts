interface Wire {
  readonly status: number;
  /** The code of the older query protocol, which the SDKs put on errors; the code itself by default. */
  readonly query?: string;
  /** The shape, where it is not one of the SQS model. */
  readonly coral?: string;
}

const BATCH = "AWS.SimpleQueueService.";

/**
 * Every error that the server answers, as on the wire: the SDK's model of SQS (`awsQueryError` in
 * @aws-sdk/client-sqs) and, for those outside of the model, AWS's general ones.
 */
const ERRORS = {
  BatchEntryIdsNotDistinct: { status: 400, query: `${BATCH}BatchEntryIdsNotDistinct` },
  BatchRequestTooLong: { status: 400, query: `${BATCH}BatchRequestTooLong` },
  EmptyBatchRequest: { status: 400, query: `${BATCH}EmptyBatchRequest` },
  InternalFailure: { status: 500, coral: "InternalFailure" },
  InvalidAttributeName: { status: 400 },
  InvalidAttributeValue: { status: 400 },
  InvalidBatchEntryId: { status: 400, query: `${BATCH}InvalidBatchEntryId` },
  InvalidMessageContents: { status: 400 },
  InvalidParameterValue: { status: 400, coral: "InvalidParameterValueException" },
  MessageNotInflight: { status: 400, query: `${BATCH}MessageNotInflight` },
  MissingParameter: { status: 400, coral: "MissingRequiredParameterException" },
  OverLimit: { status: 403 },
  QueueDoesNotExist: { status: 400, query: `${BATCH}NonExistentQueue` },
  QueueNameExists: { status: 400, query: "QueueAlreadyExists" },
  ReceiptHandleIsInvalid: { status: 404 },
  RequestThrottled: { status: 403 },
  ResourceNotFoundException: { status: 404 },
  SerializationException: {
    status: 400,
    query: "MalformedInput",
    coral: "SerializationException",
  },
  ServiceUnavailable: { status: 503, coral: "ServiceUnavailable" },
  ThrottlingException: { status: 400, coral: "ThrottlingException" },
  TooManyEntriesInBatchRequest: { status: 400, query: `${BATCH}TooManyEntriesInBatchRequest` },
  UnknownOperationException: {
    status: 400,
    query: "InvalidAction",
    coral: "UnknownOperationException",
  },
  UnsupportedOperation: { status: 400, query: `${BATCH}UnsupportedOperation` },
} satisfies Record<string, Wire>;

/** The name of an error, as in the model of SQS. */
export type SqsErrorCode = keyof typeof ERRORS;

/** An answer that is an error: thrown by every action, and put into `Failed` for an entry of a batch. */
export class SqsError extends Error {
  override readonly name = "SqsError";
  readonly code: SqsErrorCode;

  constructor(code: SqsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Whether the caller is at fault: repeating the same call would fail again. */
  get senderFault(): boolean {
    return this.#wire.status < 500;
  }

  /** The status of the HTTP answer. */
  get status(): number {
    return this.#wire.status;
  }

  /** The code that batches and the `x-amzn-query-error` header carry. */
  get queryCode(): string {
    return this.#wire.query ?? this.code;
  }

  /** The `__type` of the body. */
  get type(): string {
    const { coral } = this.#wire;
    return coral ? `com.amazon.coral.service#${coral}` : `com.amazonaws.sqs#${this.code}`;
  }

  get #wire(): Wire {
    return ERRORS[this.code];
  }
}

/** The answer to a call on a queue that is not there. */
export function noQueue(url: string): SqsError {
  return new SqsError("QueueDoesNotExist", `The specified queue does not exist: ${url}`);
}
