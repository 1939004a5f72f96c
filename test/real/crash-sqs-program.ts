// The queue server, in a process of its own: node crash-sqs-program.ts FOLDER PORT REPEATED
// Prints a line for each request that is sent to it, and what became of it. Of the batches that it
// hands out a part from 0 to 1 is handed out again while the first receiver has it.
import { randomUUID } from "node:crypto";
import { startSqsServer } from "../../local/sqs-server.ts";
import { systemClock } from "../../shared/clock.ts";
import { createLogger } from "../../shared/telemetry/log.ts";
import { AGAIN_MARK, SENT_MARK, type SentRequest } from "./crash-sent.ts";

/** Runs take up to half a second or so. */
const AGAIN_WITHIN_MS = 400;

const [dir = "", port = "0", repeated = "0"] = process.argv.slice(2);
const log = createLogger({ write: console.log, nowMs: systemClock.nowMs });
process.once("disconnect", () => process.exit(0));

const { core } = await startSqsServer({
  clock: systemClock,
  newId: randomUUID,
  log,
  dir,
  port: Number(port),
});
const call = core.call.bind(core);

core.call = async (action, input, more) => {
  const answer = await call(action, input, more);
  if (action === "SendMessageBatch") tell(input as Batch, answer as Answered);
  if (action === "ReceiveMessage") void handOutAgain(input as Receive, answer as Received);
  return answer;
};
console.log("ready");

interface Receive {
  readonly QueueUrl: string;
}

interface Received {
  readonly Messages?: readonly { readonly MessageId: string; readonly ReceiptHandle: string }[];
}

interface Batch {
  readonly Entries: readonly { readonly Id: string; readonly MessageBody: string }[];
}

interface Answered {
  readonly Successful?: readonly { readonly Id: string; readonly MessageId: string }[];
}

function tell({ Entries }: Batch, { Successful = [] }: Answered): void {
  for (const { Id, MessageBody } of Entries) {
    const messageId = Successful.find((entry) => entry.Id === Id)?.MessageId;
    const { name } = JSON.parse(MessageBody) as { name: string };
    const sent: SentRequest = { name, body: MessageBody, messageId };
    console.log(`${SENT_MARK}${JSON.stringify(sent)}`);
  }
}

/** As SQS does where one of its servers missed that a message is being worked on. */
async function handOutAgain({ QueueUrl }: Receive, { Messages = [] }: Received): Promise<void> {
  if (Messages.length === 0 || Math.random() >= Number(repeated)) return;
  await systemClock.sleep(Math.random() * AGAIN_WITHIN_MS);
  for (const { MessageId, ReceiptHandle } of Messages) {
    const visible = { QueueUrl, ReceiptHandle, VisibilityTimeout: 0 };
    const shown = await call("ChangeMessageVisibility", visible).catch(() => undefined);
    if (shown) console.log(`${AGAIN_MARK}${MessageId}`); // Else it is done with.
  }
}
