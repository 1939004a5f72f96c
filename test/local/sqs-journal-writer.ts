// Sends numbered messages into a journal until it is killed, and prints each number once it is
// acknowledged. Started by a test.
import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { SqsCore } from "../../local/sqs-core.ts";
import { SqsJournal } from "../../local/sqs-journal.ts";
import { systemClock } from "../../shared/clock.ts";
import { quietLog } from "./sqs-fixtures.ts";

const dir = process.argv[2] ?? "";
const state = new SqsJournal({ dir, log: quietLog, compactBytes: 50_000 });
const core = new SqsCore({ clock: systemClock, newId: randomUUID, log: quietLog, state });
await core.call("CreateQueue", { QueueName: "q.fifo", Attributes: { FifoQueue: "true" } });
for (let n = 1; ; n += 1) {
  await core.call("SendMessage", {
    QueueUrl: "http://x/000000000000/q.fifo",
    MessageBody: String(n),
    MessageGroupId: String(n),
    MessageDeduplicationId: String(n),
  });
  writeSync(1, `${n}\n`);
}
