// The queue server, in a process of its own: node crash-sqs-program.ts FOLDER PORT
// Prints a line for each request that is sent to it, and what became of it.
import { randomUUID } from "node:crypto";
import { startSqsServer } from "../../local/sqs-server.ts";
import { systemClock } from "../../shared/clock.ts";
import { createLogger } from "../../shared/telemetry/log.ts";
import { SENT_MARK, type SentRequest } from "./crash-sent.ts";

const [dir = "", port = "0"] = process.argv.slice(2);
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
  return answer;
};
console.log("ready");

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
