import { SqsError } from "./sqs-error.ts";

/** What a receipt handle says: which message of which queue, and which receive of it. */
export interface SqsReceipt {
  readonly seq: number;
  readonly receipt: string;
}

/** The receipt handle of one receive of a message; opaque to clients. */
export function receiptHandle(queue: string, { seq, receipt }: SqsReceipt): string {
  return Buffer.from(`${queue} ${seq} ${receipt}`).toString("base64url");
}

/** What a receipt handle says; throws ReceiptHandleIsInvalid if this queue cannot have issued it. */
export function receiptOf(queue: string, handle: string): SqsReceipt {
  const [name, seq, receipt] = Buffer.from(handle, "base64url").toString().split(" ");
  if (name !== queue || !seq || !/^\d{1,15}$/.test(seq) || !receipt) {
    throw new SqsError(
      "ReceiptHandleIsInvalid",
      `The input receipt handle "${handle.slice(0, 200)}" is not a valid receipt handle.`,
    );
  }
  return { seq: Number(seq), receipt };
}

/** The answer of a FIFO queue to a handle whose visibility timeout has passed. */
export function expiredReceipt(handle: string): SqsError {
  return new SqsError(
    "InvalidParameterValue",
    `Value ${handle} for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.`,
  );
}
