import type { SqsDifference } from "../contract/sqs-contract.ts";
import {
  CREATE,
  EXPIRED,
  FIRST_ID,
  LOGIC,
  LONG_POLLS,
  MOVE,
  PREFIX,
  RECEIVE,
  SEND,
  SEND_BATCH,
} from "./sqs-sources.ts";

/** Where moto's SQS does not do what AWS documents, or was seen to do where it documents nothing. The list only ever gets shorter. */
export const MOTO_DIFFERENCES: readonly SqsDifference[] = [
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
    scenario: "messages received too often go to the dead-letter queue, and their group goes on",
    instead: "moves the message without DeadLetterQueueSourceArn",
    source: RECEIVE,
  },
  {
    scenario:
      "a second send with the id of a waiting message answers that message's id and delivers nothing",
    instead: "answers a new MessageId",
    source: FIRST_ID,
  },
  {
    scenario: "an id stays remembered after its message was received and deleted, in every group",
    instead: "answers a new MessageId",
    source: FIRST_ID,
  },
  {
    scenario: "with the scope of a message group the same id in two groups is two messages",
    instead: "takes the queue as the scope, whatever DeduplicationScope says",
    source: CREATE,
  },
  {
    scenario: "equal ids in one batch are one message, and both entries succeed",
    instead: "answers two MessageIds",
    source: FIRST_ID,
  },
  {
    scenario: "the handle of an earlier receive deletes nothing",
    instead: "succeeds",
    source: EXPIRED,
  },
  {
    scenario: "a handle is dead on a FIFO queue once the visibility timeout has passed",
    instead: "takes the handle",
    source: EXPIRED,
  },
  {
    scenario: "a batch carries out its good entries and answers the bad ones in Failed",
    instead: "refuses the whole batch for a delay in one entry",
    source: SEND_BATCH,
  },
  {
    scenario: "the same ReceiveRequestAttemptId answers the same messages again",
    instead: "ignores the id and answers nothing",
    source: RECEIVE,
  },
  ...["a visibility timeout of 0 frees a message", "a deletion frees the group"].map((what) => ({
    scenario: `a long poll ends when ${what}`,
    instead: "waits on",
    source: LONG_POLLS,
  })),
  {
    scenario: "a move task brings messages of a dead-letter queue back as new ones",
    instead: "answers StartMessageMoveTask with a page of HTML",
    source: MOVE,
  },
  ...["a group of 129 characters", "an id of 129 characters", "a space in an id"].map((wrong) => ({
    scenario: `rejects a send to a FIFO queue with ${wrong}`,
    instead: "takes it",
    source: SEND,
  })),
  {
    scenario: "rejects a send to a FIFO queue with a control character",
    instead: "takes it",
    source: SEND,
  },
];
