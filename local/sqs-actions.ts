import {
  changeMessageVisibility,
  changeMessageVisibilityBatch,
  deleteMessage,
  deleteMessageBatch,
} from "./sqs-acknowledge.ts";
import type { SqsInput } from "./sqs-input.ts";
import {
  createQueue,
  deleteQueue,
  getQueueAttributes,
  getQueueUrl,
  listQueues,
  purgeQueue,
  setQueueAttributes,
} from "./sqs-queues.ts";
import { receiveMessage } from "./sqs-receive.ts";
import { listDeadLetterSourceQueues, startMessageMoveTask } from "./sqs-redrive.ts";
import { sendMessage, sendMessageBatch } from "./sqs-send.ts";
import type { SqsCall, SqsService } from "./sqs-service.ts";

/** Carries out a call; throws SqsError. What it changes is kept before it returns. */
export type SqsAction = (
  core: SqsService,
  input: SqsInput,
  call: SqsCall,
) => object | Promise<object>;

/** All actions, by the name in `X-Amz-Target`. */
export const SQS_ACTIONS: Readonly<Record<string, SqsAction>> = {
  ChangeMessageVisibility: changeMessageVisibility,
  ChangeMessageVisibilityBatch: changeMessageVisibilityBatch,
  CreateQueue: createQueue,
  DeleteMessage: deleteMessage,
  DeleteMessageBatch: deleteMessageBatch,
  DeleteQueue: deleteQueue,
  GetQueueAttributes: getQueueAttributes,
  GetQueueUrl: getQueueUrl,
  ListDeadLetterSourceQueues: listDeadLetterSourceQueues,
  ListQueues: listQueues,
  PurgeQueue: purgeQueue,
  ReceiveMessage: receiveMessage,
  SendMessage: sendMessage,
  SendMessageBatch: sendMessageBatch,
  SetQueueAttributes: setQueueAttributes,
  StartMessageMoveTask: startMessageMoveTask,
};
