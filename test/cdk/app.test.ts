import { spawnSync } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { OUT, type Properties, ROOT } from "./stage.ts";

afterAll(() => rm(OUT, { recursive: true, force: true }));

test("the app of cdk.json deploys every controller of functions/", async () => {
  const { app, context } = JSON.parse(await readFile(join(ROOT, "cdk.json"), "utf8"));
  const [program, ...args] = (app as string).split(" ");
  expect(program).toBe("node");
  // As the command cdk starts it. https://docs.aws.amazon.com/cdk/v2/guide/apps.html
  const cdk = { CDK_OUTDIR: OUT, CDK_CONTEXT_JSON: JSON.stringify(context) };
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...cdk },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  const template = JSON.parse(await readFile(join(OUT, "Tidegate.template.json"), "utf8"));
  const resources = Object.values<{ readonly Type: string; readonly Properties: Properties }>(
    template.Resources,
  );
  const of = (type: string) => resources.filter(({ Type }) => Type === `AWS::${type}`);
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
