import { rm } from "node:fs/promises";
import { afterAll, expect, test } from "@jest/globals";
import { runApp } from "./run-app.ts";
import { OUT } from "./stage.ts";

afterAll(() => rm(OUT, { recursive: true, force: true }));

test("the app of cdk.json deploys every controller of functions/", async () => {
  const { Resources } = await runApp(OUT);
  const of = (type: string) =>
    Object.values(Resources).filter(({ Type }) => Type === `AWS::${type}`);
  const queues = of("SQS::Queue").map(({ Properties: { QueueName } }) => String(QueueName));
  expect(queues.sort()).toEqual(
    ["config-digest", "cronjob", "guestbook", "website"].flatMap((name) => [
      `tidegate-my-cluster-${name}-dead.fifo`,
      `tidegate-my-cluster-${name}.fifo`,
    ]),
  );
  expect(of("Lambda::Function")).toHaveLength(4);
  expect(of("DynamoDB::Table")).toHaveLength(1);
}, 60_000);
