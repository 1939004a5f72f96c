// Loaded into function processes before their handler: notes when each run begins and ends in a file
// of this process, by what the run itself writes to its record. It adds no request to those that are
// made, and what it noted outlives the process.
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { type Item, recordOf } from "../../shared/queue/record-item.ts";
import { keyOfItem } from "../../shared/queue/record-key.ts";
import { monotonicMs, type RunMark } from "./crash-runs.ts";

type Send = (command: unknown, ...rest: unknown[]) => Promise<{ Attributes?: Item; Item?: Item }>;

const dir = process.env.CRASH_RUNS ?? "";
const file = join(dir, `${process.pid}-${Math.floor(monotonicMs())}`);
mkdirSync(dir, { recursive: true });
appendFileSync(file, "");

const client = DynamoDBClient.prototype as unknown as { send: Send };
const { send } = client;
/** By key, the ids of runs whose start met a lock, of which the next read of the record tells whose. */
const met = new Map<string, string | undefined>();

client.send = async function tapped(this: unknown, command, ...rest) {
  const call = () => send.call(this, command, ...rest);
  if (command instanceof GetItemCommand) {
    const answer = await call();
    tellLock(keyIn(command.input.Key), answer.Item);
    return answer;
  }
  if (!(command instanceof UpdateItemCommand)) return call();
  const key = keyIn(command.input.Key);
  const { ExpressionAttributeValues: values = {} } = command.input;
  // A run is over before its end is written, and begins after its start was.
  const outcome = values[":outcome"]?.S;
  if (outcome !== undefined) note("end", { key, epoch: Number(values[":epoch"]?.N), outcome });
  if (values[":reason"] === undefined) return call();
  try {
    const answer = await call();
    note("start", { key, epoch: recordOf(answer.Attributes).epoch + 1 });
    return answer;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) met.set(key, values[":runId"]?.S);
    throw error;
  }
};

/** Its own lock is met by the client's repetition of a start that was written and not answered. */
function tellLock(key: string, item: Item | undefined): void {
  if (!met.has(key)) return;
  const { runId, epoch } = recordOf(item);
  note(runId === met.get(key) ? "start" : "refused", { key, epoch });
  met.delete(key);
}

function keyIn(item: Item = {}): string {
  const { controller, name } = keyOfItem({ pk: item.pk?.S ?? "", sk: item.sk?.S ?? "" });
  return `${controller}/${name}`;
}

function note(mark: RunMark["mark"], run: Pick<RunMark, "key" | "epoch"> & { outcome?: string }) {
  const noted: RunMark = { mark, outcome: "", ...run, atMs: monotonicMs() };
  appendFileSync(file, `${JSON.stringify(noted)}\n`);
}
