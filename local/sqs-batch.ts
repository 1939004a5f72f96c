import { SqsError } from "./sqs-error.ts";
import { listOf, objectOf, requiredTextOf, type SqsInput } from "./sqs-input.ts";

/** Entries of a batch at most. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
const MAX_ENTRIES = 10;

/** The entries of a batch, their number and ids checked. */
export function batchEntries(input: SqsInput): SqsInput[] {
  const entries = listOf(input, "Entries").map((entry) => objectOf(entry, "an entry"));
  if (entries.length === 0) throw new SqsError("EmptyBatchRequest", "There are no entries.");
  if (entries.length > MAX_ENTRIES) {
    throw new SqsError(
      "TooManyEntriesInBatchRequest",
      `Maximum number of entries per request are ${MAX_ENTRIES}. You have sent ${entries.length}.`,
    );
  }
  const ids = entries.map((entry) => requiredTextOf(entry, "Id"));
  for (const [index, id] of ids.entries()) {
    if (!/^[A-Za-z0-9_-]{1,80}$/.test(id)) {
      throw new SqsError("InvalidBatchEntryId", `expected 1 to 80 letters, digits, - or _: ${id}`);
    }
    if (ids.indexOf(id) !== index) {
      throw new SqsError("BatchEntryIdsNotDistinct", `Id ${id} repeated.`);
    }
  }
  return entries;
}

/**
 * Carries out the entries one by one. One that is refused is answered in `Failed` and does not
 * hinder the others; a fault of the server fails the whole call. Empty lists are left out.
 */
export function runEntries(entries: readonly SqsInput[], carryOut: (entry: SqsInput) => object) {
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.Id, ...carryOut(entry) });
    } catch (error) {
      if (!(error instanceof SqsError) || !error.senderFault) throw error;
      const { queryCode: Code, message: Message } = error;
      Failed.push({ Id: entry.Id, Code, Message, SenderFault: true });
    }
  }
  return {
    ...(Successful.length > 0 && { Successful }),
    ...(Failed.length > 0 && { Failed }),
  };
}
