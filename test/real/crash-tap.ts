// Loaded into function processes before their handler: notes when each run begins and ends in a file
// of this process, by what the run itself writes to its record. It adds no request to those that are
// made, and what it noted outlives the process.
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { type Item, recordOf } from "../../shared/queue/record-item.ts";
import { keyOfItem } from "../../shared/queue/record-key.ts";
import { monotonicMs, type RunMark } from "./crash-runs.ts";

type Send = (command: unknown, ...rest: unknown[]) => Promise<{ Attributes?: Item }>;

const dir = process.env.CRASH_RUNS ?? "";
const file = join(dir, `${process.pid}-${Math.floor(monotonicMs())}`);
mkdirSync(dir, { recursive: true });
appendFileSync(file, "");

const client = DynamoDBClient.prototype as unknown as { send: Send };
const { send } = client;

client.send = async function tapped(this: unknown, command, ...rest) {
  if (!(command instanceof UpdateItemCommand)) return send.call(this, command, ...rest);
  const { Key = {}, ExpressionAttributeValues: values = {} } = command.input;
  const { controller, name } = keyOfItem({ pk: Key.pk?.S ?? "", sk: Key.sk?.S ?? "" });
  const key = `${controller}/${name}`;
  // A run is over before its end is written, and begins after its start was.
  const outcome = values[":outcome"]?.S;
  if (outcome !== undefined) {
    note({ mark: "end", key, epoch: Number(values[":epoch"]?.N), outcome, atMs: monotonicMs() });
  }
  const answer = await send.call(this, command, ...rest);
  if (values[":reason"] !== undefined) {
    const epoch = recordOf(answer.Attributes).epoch + 1;
    note({ mark: "start", key, epoch, outcome: "", atMs: monotonicMs() });
  }
  return answer;
};

function note(mark: RunMark): void {
  appendFileSync(file, `${JSON.stringify(mark)}\n`);
}
