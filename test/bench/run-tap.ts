// Loaded into function processes before their handler: prints a line for each run that ends, with
// what only the run's own writes to its record tell. It adds no request to those that are made.
import { DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { FINGERPRINT_BYTES, UNKNOWN_FINGERPRINT } from "../../shared/queue/fingerprint.ts";
import { IDENTITY_BYTES } from "../../shared/queue/identity.ts";
import type { ObjectRecord } from "../../shared/queue/record.ts";
import { type Item, recordOf } from "../../shared/queue/record-item.ts";
import { keyOfItem } from "../../shared/queue/record-key.ts";
import { RUN_MARK, type TappedRun } from "./tapped-run.ts";

type Send = (command: unknown, ...rest: unknown[]) => Promise<{ Attributes?: Item }>;

interface Start {
  /** The record as it was. */
  readonly before: ObjectRecord;
  readonly reason: string;
  readonly startedAt: number;
  /** When the start was known to be written. */
  readonly lockedAt: number;
}

const starts = new Map<string, Start>();
const client = DynamoDBClient.prototype as unknown as { send: Send };
const { send } = client;

client.send = async function tapped(this: unknown, command, ...rest) {
  const answer = await send.call(this, command, ...rest);
  if (command instanceof UpdateItemCommand) {
    const { Key = {}, ExpressionAttributeValues: values = {} } = command.input;
    note({ pk: Key.pk?.S ?? "", sk: Key.sk?.S ?? "" }, values, answer.Attributes);
  }
  return answer;
};

function note(place: { pk: string; sk: string }, values: Item, before: Item | undefined): void {
  const id = `${place.pk} ${place.sk}`;
  const reason = values[":reason"]?.S;
  if (reason !== undefined) {
    const startedAt = Number(values[":now"]?.N);
    starts.set(id, { before: recordOf(before), reason, startedAt, lockedAt: Date.now() });
    return;
  }
  const start = starts.get(id);
  const outcome = values[":outcome"]?.S;
  if (!start || outcome === undefined) return;
  starts.delete(id);
  const { controller, namespace, name } = keyOfItem(place);
  const run: TappedRun = {
    controller,
    namespace,
    name,
    epoch: Number(values[":epoch"]?.N),
    reason: start.reason,
    outcome,
    startedAt: start.startedAt,
    lockedAt: start.lockedAt,
    finishedAt: Number(values[":finishedAt"]?.N),
    sawNothingNew: sawNothingNew(start.before, outcome, values[":seen"]?.B),
  };
  process.stdout.write(`${RUN_MARK}${JSON.stringify(run)}\n`);
}

/**
 * Whether every version that the run saw or left behind was in the record already, and the run
 * before it had ended well: it ran for nothing. Bytes are equal where the versions are.
 */
function sawNothingNew(before: ObjectRecord, outcome: string, seen: Uint8Array | undefined) {
  const endedWell = before.outcome === "success" || before.outcome === "requeue_after";
  const ran = outcome === "success" || outcome === "requeue_after";
  if (!endedWell || !ran || !before.seen || !seen || !known(seen)) return false;
  return Buffer.compare(before.seen, seen) === 0;
}

/** Not an overflow, and no version in it is unknown: those ask for another run. */
function known(seen: Uint8Array): boolean {
  if (seen.length <= 1) return false;
  const text = Buffer.from(seen).toString("hex");
  for (let at = 1 + IDENTITY_BYTES; at < seen.length; at += IDENTITY_BYTES + FINGERPRINT_BYTES) {
    if (text.startsWith(UNKNOWN_FINGERPRINT, 2 * at)) return false;
  }
  return true;
}
