import type { UpdateItemCommandInput } from "@aws-sdk/client-dynamodb";
import type { ObjectRecord, RunEnd, RunStart } from "./record.ts";
import { attributeOf } from "./record-item.ts";
import { dueShard, shardOf } from "./record-key.ts";
import type { RequestKey } from "./request.ts";

/** The parts of an UpdateItem that say what is written, and on which condition. */
export type RecordUpdate = Pick<
  UpdateItemCommandInput,
  | "UpdateExpression"
  | "ConditionExpression"
  | "ExpressionAttributeNames"
  | "ExpressionAttributeValues"
>;

/** The write of `startRun` (record-transitions.ts). Its own lock is refused, too, and told apart afterwards. */
export function startUpdate(start: RunStart): RecordUpdate {
  return {
    UpdateExpression:
      "SET #epoch = if_not_exists(#epoch, :zero) + :one, #failures = if_not_exists(#failures, :zero) + :one, " +
      "#runId = :runId, #runUntil = :runUntil, #startedAt = :now, #reason = :reason " +
      "REMOVE #retryHandle, #expiresAt",
    ConditionExpression: "attribute_not_exists(#runId) OR (#runUntil < :now AND #runId <> :runId)",
    ExpressionAttributeNames: namesOf(
      "epoch",
      "failures",
      "runId",
      "runUntil",
      "startedAt",
      "reason",
      "retryHandle",
      "expiresAt",
    ),
    ExpressionAttributeValues: {
      ":zero": { N: "0" },
      ":one": { N: "1" },
      ":runId": attributeOf(start.runId),
      ":runUntil": attributeOf(start.runUntil),
      ":now": attributeOf(start.nowMs),
      ":reason": attributeOf(start.reason),
    },
  };
}

/** Every field of an end: one that is absent there is removed. */
const END_FIELDS = [
  "outcome",
  "error",
  "failures",
  "postponed",
  "selfWakes",
  "selfWakesSince",
  "heldUntil",
  "finishedAt",
  "dueAt",
  "retryHandle",
  "uid",
  "generation",
  "revision",
  "seen",
  "applied",
  "expiresAt",
] as const satisfies readonly (keyof RunEnd)[];

/** The write of `endRun`. The index takes the item up only while it has a `dueShard`. */
export function endUpdate(key: RequestKey, end: RunEnd): RecordUpdate {
  const shard = end.dueAt === undefined ? undefined : dueShard(key.cluster, shardOf(key));
  const fields = [
    ...END_FIELDS.map((field) => [field, end[field]] as const),
    ["dueShard", shard] as const,
  ];
  const set = fields.filter(([, value]) => value !== undefined);
  const removed = fields.filter(([, value]) => value === undefined).map(([field]) => field);
  return {
    UpdateExpression:
      `SET ${set.map(([field]) => `#${field} = :${field}`).join(", ")} ` +
      `REMOVE #runId, #runUntil${removed.map((field) => `, #${field}`).join("")}`,
    ConditionExpression: "#epoch = :epoch AND attribute_exists(#runId)", // Q5
    ExpressionAttributeNames: namesOf("epoch", "runId", "runUntil", ...fields.map(([f]) => f)),
    ExpressionAttributeValues: {
      ":epoch": attributeOf(end.epoch),
      ...Object.fromEntries(set.map(([field, value]) => [`:${field}`, attributeOf(value ?? "")])),
    },
  };
}

/** The write of `clearTimer` (Q10). */
export function clearTimerUpdate(timer: { dueAt: number; epoch: number }): RecordUpdate {
  return {
    UpdateExpression: "REMOVE #dueAt, #dueShard",
    ConditionExpression: "#dueAt = :dueAt AND #epoch = :epoch",
    ExpressionAttributeNames: namesOf("dueAt", "dueShard", "epoch"),
    ExpressionAttributeValues: {
      ":dueAt": attributeOf(timer.dueAt),
      ":epoch": attributeOf(timer.epoch),
    },
  };
}

/** Names by placeholder, for some ("error") are words of DynamoDB's own. */
function namesOf(...fields: readonly (keyof ObjectRecord | "dueShard")[]): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [`#${field}`, field]));
}
