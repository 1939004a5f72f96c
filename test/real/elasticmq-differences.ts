import type { SqsDifference } from "../contract/sqs-contract.ts";
import {
  ATTRIBUTES,
  BACKLOG,
  CREATE,
  DELETE,
  DELETE_BATCH,
  EXPIRED,
  MOVE,
  RECEIVE,
  RECORDED,
  SEND,
  SEND_BATCH,
  VISIBILITY,
} from "./sqs-sources.ts";

/** Where ElasticMQ does not do what AWS documents, or was seen to do where it documents nothing. The list only ever gets shorter. */
export const ELASTICMQ_DIFFERENCES: readonly SqsDifference[] = [
  {
    scenario: "a group with a long backlog does not hold up another one while it is locked",
    instead: "answers nothing while several messages of the locked group wait before it",
    source: BACKLOG,
  },
  {
    scenario: "with the scope of a message group the same id in two groups is two messages",
    instead: "takes the queue as the scope, whatever DeduplicationScope says",
    source: CREATE,
  },
  {
    scenario: "the handle of an earlier receive deletes nothing",
    instead: "answers ReceiptHandleIsInvalid",
    source: EXPIRED,
  },
  {
    scenario: "a handle is dead on a FIFO queue once the visibility timeout has passed",
    instead: "takes the handle",
    source: EXPIRED,
  },
  {
    scenario: "deleting a message twice succeeds",
    instead: "answers ReceiptHandleIsInvalid",
    source: DELETE,
  },
  {
    scenario: "the same ReceiveRequestAttemptId answers the same messages again",
    instead: "answers them with new handles",
    source: RECEIVE,
  },
  {
    scenario: "a new queue has the attributes it was given, and can be found by its name",
    instead: "has no MessageRetentionPeriod",
    source: ATTRIBUTES,
  },
  {
    scenario: "a move task brings messages of a dead-letter queue back as new ones",
    instead: "takes the task and leaves the message where it is",
    source: MOVE,
  },
  {
    scenario: "rejects a send to a FIFO queue with a body of 1 MiB + 1",
    instead: "answers InvalidAttributeValue",
    source: RECORDED,
  },
  {
    scenario: "rejects a send to a FIFO queue with a control character",
    instead: "answers InvalidAttributeValue",
    source: SEND,
  },
  {
    scenario: "rejects a batch with 0 entries with EmptyBatchRequest",
    instead: "takes it",
    source: SEND_BATCH,
  },
  {
    scenario: "rejects a batch with 1 entries with InvalidBatchEntryId",
    instead: "takes an id with a space",
    source: SEND_BATCH,
  },
  {
    scenario: "rejects an empty batch of deletions with EmptyBatchRequest",
    instead: "takes it",
    source: DELETE_BATCH,
  },
  {
    scenario: "rejects a batch of more than 1 MiB with BatchRequestTooLong",
    instead: "answers InvalidAttributeValue",
    source: SEND_BATCH,
  },
  {
    scenario: "rejects a visibility timeout of more than 12 hours",
    instead: "takes it",
    source: VISIBILITY,
  },
  ...['"MaxNumberOfMessages":11', '"MaxNumberOfMessages":0', '"WaitTimeSeconds":21'].map(
    (wrong) => ({
      scenario: `rejects a receive with {${wrong}}`,
      instead: "answers InvalidAttributeValue",
      source: `${RECEIVE}, ${RECORDED}`,
    }),
  ),
  {
    scenario: "rejects an attribute that does not exist with InvalidAttributeName",
    instead: "leaves it out",
    source: ATTRIBUTES,
  },
];
