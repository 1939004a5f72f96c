// Where AWS says what the contract of SQS asks for.

const GUIDE = "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide";
const API = "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference";

export const LOGIC = `${GUIDE}/FIFO-queues-understanding-logic.html`;
export const BACKLOG = `${GUIDE}/avoid-backlog-with-the-same-message-group-id.html`;
export const LONG_POLLS = `${GUIDE}/sqs-short-and-long-polling.html`;
/** AWS documents that duplicates are accepted; that they answer the first id others have observed. */
export const FIRST_ID = `${GUIDE}/using-messagededuplicationid-property.html, https://github.com/http4k/http4k/issues/1600`;

export const CREATE = `${API}/API_CreateQueue.html`;
export const ATTRIBUTES = `${API}/API_GetQueueAttributes.html`;
export const SEND = `${API}/API_SendMessage.html`;
export const SEND_BATCH = `${API}/API_SendMessageBatch.html`;
export const RECEIVE = `${API}/API_ReceiveMessage.html`;
/** "the request succeeds, but the message will not be deleted" is said of handles out of date. */
export const DELETE = `${API}/API_DeleteMessage.html`;
export const DELETE_BATCH = `${API}/API_DeleteMessageBatch.html`;
export const VISIBILITY = `${API}/API_ChangeMessageVisibility.html`;
export const MOVE = `${API}/API_StartMessageMoveTask.html`;

/** Answers recorded on AWS, where its documentation names no error or says less. */
export const RECORDED =
  "https://github.com/localstack/localstack/blob/main/tests/aws/services/sqs/test_sqs.py";
export const EXPIRED = `${RECORDED}, which has "The receipt handle has expired"; https://repost.aws/knowledge-center/sqs-receipt-handle-error`;
export const PREFIX = `${RECORDED}, test_fifo_group_visibility_extends_with_change_message_visibility`;
