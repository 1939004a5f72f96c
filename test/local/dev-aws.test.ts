import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeleteTableCommand } from "@aws-sdk/client-dynamodb";
import { ReceiveMessageCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type DevAws, startDevAws } from "../../local/dev-aws.ts";
import { ensureQueues } from "../../local/dev-queues.ts";
import { systemClock } from "../../shared/clock.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { freePorts } from "../real/dev-process.ts";
import { quietLog } from "./sqs-fixtures.ts";

const folder = {
  name: "web",
  mapping: {
    batchSize: 10,
    maximumConcurrency: 2,
    visibilityTimeoutSeconds: 180,
    maxReceiveCount: 50,
  },
};

let dataDir = "";
let aws: DevAws;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "dev-aws-"));
});
afterEach(async () => {
  await aws.close();
  await rm(dataDir, { recursive: true });
});

async function start(): Promise<DevAws> {
  return startDevAws({ dataDir, port: await freePorts() }, { clock: systemClock, log: quietLog });
}

/** Resolves to the message's id: that of the first one where it was swallowed. */
async function send(): Promise<string | undefined> {
  const { queueUrl } = await ensureQueues(aws.sqs, "local", folder);
  const { MessageId } = await aws.sqs.send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: "m1",
      MessageGroupId: "a",
      MessageDeduplicationId: "a",
    }),
  );
  return MessageId;
}

async function received(): Promise<readonly (string | undefined)[]> {
  const { queueUrl } = await ensureQueues(aws.sqs, "local", folder);
  const { Messages = [] } = await aws.sqs.send(new ReceiveMessageCommand({ QueueUrl: queueUrl }));
  return Messages.map(({ Body }) => Body);
}

test("a start offers at once what an earlier one had received, but not begun to run, when it was killed", async () => {
  aws = await start();
  await send();
  expect(await received()).toEqual(["m1"]);
  await aws.close();
  aws = await start();
  expect(await received()).toEqual(["m1"]);
});

test("a table that was deleted is made again, and the same id is then no longer swallowed (Q1)", async () => {
  aws = await start();
  const first = await send();
  expect(await send()).toBe(first);
  expect(await aws.own?.restoreTable()).toBe(false);
  const dynamo = createDynamoClient({
    endpoint: aws.env.AWS_ENDPOINT_URL_DYNAMODB ?? "",
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  await dynamo.send(new DeleteTableCommand({ TableName: "tidegate" }));
  dynamo.destroy();

  while (!(await aws.own?.restoreTable())); // The embedded DynamoDB takes a moment to delete it.
  await aws.revisions.putRevision("local", "web", "r1");
  expect(await send()).not.toBe(first);
});
