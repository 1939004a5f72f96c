import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import { GetQueueUrlCommand } from "@aws-sdk/client-sqs";
import { expect, test } from "@jest/globals";
import { tellFailures } from "../../cli/operate-aws-error.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { createSqsClient } from "../../shared/queue/sqs-client.ts";

const credentials = { accessKeyId: "a", secretAccessKey: "b" };
const good = { region: "us-east-1", endpoint: "http://127.0.0.1:1", credentials };

const named = (name: string) => () => Promise.reject(Object.assign(new Error("denied"), { name }));

test.each([
  [
    { ...good, credentials: named("ECONNREFUSED") },
    /^cannot ask SQS \(GetQueueUrl\): denied; check the network/,
  ],
  [
    { ...good, region: async () => Promise.reject(new Error("Region is missing")) } as never,
    "cannot ask SQS (GetQueueUrl): expected a region, got none; name one with --region or AWS_REGION",
  ],
  [
    { ...good, credentials: named("CredentialsProviderError") },
    "cannot ask SQS (GetQueueUrl): denied; check AWS_PROFILE and the credentials of your environment",
  ],
  [
    { ...good, credentials: named("AccessDenied") },
    "cannot ask SQS (GetQueueUrl): denied; grant it to these credentials, or use others (AWS_PROFILE)",
  ],
  [
    { ...good, credentials: named("TimeoutError") },
    /expected an answer within seconds, got none; check the network/,
  ],
  [{ ...good, credentials: named("QueueDoesNotExist") }, "denied"],
] as const)("%j tells what was asked, and what to do", async (options, text) => {
  const client = createSqsClient(options);
  tellFailures(client, "SQS");
  const asked = client.send(new GetQueueUrlCommand({ QueueName: "q" }));
  await expect(asked).rejects.toMatchObject({
    message: typeof text === "string" ? text : expect.stringMatching(text),
  });
  client.destroy();
});

test("leaves what another layer has told as it is", async () => {
  const client = createDynamoClient({
    ...good,
    credentials: named("ResourceNotFoundException") as never,
  });
  tellFailures(client, "DynamoDB");
  const asked = client.send(new DescribeTableCommand({ TableName: "t" }));
  await expect(asked).rejects.toThrow("cannot use table t: expected it to be there");
  client.destroy();
});

test("tells a failure once that several calls have between them", async () => {
  const failure = Object.assign(new Error("denied"), { name: "CredentialsProviderError" });
  const client = createSqsClient({ ...good, credentials: () => Promise.reject(failure) });
  tellFailures(client, "SQS");
  const ask = () => client.send(new GetQueueUrlCommand({ QueueName: "q" }));
  await expect(ask()).rejects.toThrow();
  await expect(ask()).rejects.toThrow(/^cannot ask SQS \(GetQueueUrl\): denied; [^;]*$/);
  client.destroy();
});
