import type { SqsDifference } from "../contract/sqs-contract.ts";
import {
  ATTRIBUTES,
  DELETE,
  EXPIRED,
  LOGIC,
  MOVE,
  PREFIX,
  RECEIVE,
  SEND,
  VISIBILITY,
} from "./sqs-sources.ts";

/** Where MiniStack's SQS does not do what AWS documents, or was seen to do where it documents nothing. The list only ever gets shorter. */
export const MINISTACK_DIFFERENCES: readonly SqsDifference[] = [
  {
    scenario: "one receive answers a group first and then others, though they were sent in turns",
    instead: "mixes the groups in the order of the sends",
    source: LOGIC,
  },
  ...[1, 2].map((hidden) => ({
    scenario: `only messages before the first one in flight are delivered: message ${hidden} of 3`,
    instead: "delivers nothing of a group with a message in flight",
    source: PREFIX,
  })),
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
    instead: "ignores the id and answers nothing",
    source: RECEIVE,
  },
  {
    scenario: "a move task brings messages of a dead-letter queue back as new ones",
    instead: "knows neither ListDeadLetterSourceQueues nor StartMessageMoveTask",
    source: MOVE,
  },
  ...["a group of 129 characters", "an id of 129 characters", "a space in an id"].map((wrong) => ({
    scenario: `rejects a send to a FIFO queue with ${wrong}`,
    instead: "takes it",
    source: SEND,
  })),
  {
    scenario: "rejects a visibility timeout of more than 12 hours",
    instead: "takes it",
    source: VISIBILITY,
  },
  {
    scenario: 'rejects a receive with {"WaitTimeSeconds":21}',
    instead: "waits",
    source: RECEIVE,
  },
  {
    scenario: "rejects an attribute that does not exist with InvalidAttributeName",
    instead: "leaves it out",
    source: ATTRIBUTES,
  },
];
