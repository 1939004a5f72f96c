import { DescribeTableCommand, DescribeTimeToLiveCommand } from "@aws-sdk/client-dynamodb";
import type { Controller } from "../shared/api/controller.ts";
import { mappingOf } from "../shared/api/mapping.ts";
import { DUE_INDEX } from "../shared/queue/dynamo-table.ts";
import { RETENTION_SECONDS } from "../shared/queue/queue-names.ts";
import { type Check, check, checked, type Patient } from "./doctor-check.ts";
import type { Place } from "./operate-place.ts";
import { queueAttributes, queueUrls } from "./operate-queues.ts";
import { span } from "./operate-time.ts";

/** Beyond that, locks and timers of two machines no longer agree. */
const SKEW_LIMIT_MS = 5_000;

/** Table, queues, and the clock against theirs. */
export async function awsChecks({ place, controllers }: Patient): Promise<readonly Check[]> {
  // At once, for each waits as long as AWS does not answer.
  const found = await Promise.all([
    checked("table", () => tableChecks(place)),
    checked("table TTL", () => ttlChecks(place)),
    ...controllers.flatMap((controller) => [
      checked(`queue of ${controller.name}`, () => queueChecks(place, controller)),
      checked(`runs of ${controller.name}`, () => runChecks(place, controller)),
    ]),
  ]);
  const all = found.flat();
  return [...all, ...(all.some(({ level }) => level !== "fail") ? [clockCheck(place)] : [])];
}

async function runChecks({ pauses }: Place, { name }: Controller): Promise<readonly Check[]> {
  const state = await pauses.state(name);
  const todo = state === "missing" ? "deploy it" : `tidegate resume ${name}`;
  const level = state === "missing" ? "fail" : "warn";
  const text = state === "missing" ? "nothing takes messages from its queue" : state;
  return [check(`runs of ${name}`, state === "running", { text, todo, level })];
}

async function tableChecks({ dynamo, tableName }: Place): Promise<readonly Check[]> {
  const { Table } = await dynamo.send(new DescribeTableCommand({ TableName: tableName }));
  const keys = (Table?.KeySchema ?? []).map((each) => each.AttributeName).join(", ");
  const due = Table?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === DUE_INDEX);
  const dueKeys = (due?.KeySchema ?? []).map((each) => each.AttributeName).join(", ");
  const good =
    keys === "pk, sk" && dueKeys === "dueShard, dueAt" && Table?.TableStatus === "ACTIVE";
  const text = `${tableName} is ${Table?.TableStatus}, keys ${keys}, index ${DUE_INDEX} over ${dueKeys || "nothing"}`;
  return [
    check("table", good, {
      text,
      todo: "expected keys pk, sk and the index over dueShard, dueAt: deploy again",
    }),
  ];
}

async function ttlChecks({ dynamo, tableName, endpoints }: Place): Promise<readonly Check[]> {
  if (endpoints.dynamo !== undefined) return []; // The embedded table knows no TTL.
  const command = new DescribeTimeToLiveCommand({ TableName: tableName });
  const { TimeToLiveDescription: ttl } = await dynamo.send(command);
  const text = `${ttl?.TimeToLiveStatus ?? "none"} on ${ttl?.AttributeName ?? "no attribute"}`;
  const good =
    ttl?.AttributeName === "expiresAt" && (ttl.TimeToLiveStatus ?? "").startsWith("ENABL");
  const todo = "turn it on for expiresAt, or records of deleted objects stay for ever";
  return [check("table TTL", good, { text, todo, level: "warn" })];
}

async function queueChecks(
  { sqs, cluster }: Place,
  controller: Controller,
): Promise<readonly Check[]> {
  const name = `queue of ${controller.name}`;
  const urls = await queueUrls(sqs, { cluster, controller: controller.name });
  const [queue, dead] = [
    await queueAttributes(sqs, urls.queueUrl),
    await queueAttributes(sqs, urls.deadLetterQueueUrl),
  ];
  const mapping = mappingOf(controller);
  const redrive = JSON.parse(queue.RedrivePolicy ?? "{}") as Partial<
    Record<string, string | number>
  >;
  const expected: readonly (readonly [
    string,
    string | number | undefined,
    string | number | undefined,
  ])[] = [
    ["FifoQueue", queue.FifoQueue, "true"],
    ["DeduplicationScope", queue.DeduplicationScope, "messageGroup"],
    ["FifoThroughputLimit", queue.FifoThroughputLimit, "perMessageGroupId"],
    ["VisibilityTimeout", queue.VisibilityTimeout, mapping.visibilityTimeoutSeconds],
    ["MessageRetentionPeriod", queue.MessageRetentionPeriod, RETENTION_SECONDS],
    ["maxReceiveCount", redrive.maxReceiveCount, mapping.maxReceiveCount],
    ["dead-letter queue", redrive.deadLetterTargetArn, dead.QueueArn],
  ];
  const wrong = expected.filter(([, got, wanted]) => String(got) !== String(wanted));
  const text =
    wrong.length === 0
      ? "as its definition asks for"
      : wrong
          .map(([what, got, wanted]) => `${what} is ${got ?? "unset"}, expected ${wanted ?? "one"}`)
          .join("; ");
  const letters = Number(dead.ApproximateNumberOfMessages ?? 0);
  return [
    check(name, wrong.length === 0, { text, todo: "deploy the controller again" }),
    check(`dead letters of ${controller.name}`, letters === 0, {
      text: String(letters),
      todo: `tidegate redrive ${controller.name} --dry-run shows them`,
      level: "warn",
    }),
  ];
}

function clockCheck({ clock }: Place): Check {
  const skewMs = clock.skewMs();
  const text = `${span(skewMs)} ${skewMs < 0 ? "behind" : "ahead of"} that of queue and table`;
  const todo = "set the machine's clock by NTP: AWS refuses requests that are 5 min off";
  return check("clock", Math.abs(skewMs) < SKEW_LIMIT_MS, { text, todo, level: "warn" });
}
