import { SetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Check } from "../../cli/doctor-check.ts";
import { broadWebhooks } from "../../cli/doctor-cluster.ts";
import { OperateStage } from "./operate-stage.ts";

let stage: OperateStage;

beforeAll(async () => {
  stage = await OperateStage.start();
});
afterAll(() => stage?.close());

/** The levels of all checks, by name. */
async function levels(): Promise<{ code: number; checks: ReadonlyMap<string, Check> }> {
  const { code, out } = await stage.run(["doctor", "--output", "json"]);
  const { checks } = JSON.parse(out) as { readonly checks: readonly Check[] };
  return { code, checks: new Map(checks.map((check) => [check.name, check])) };
}

test("tells what is well and what is not, and fails where something did", async () => {
  const { queueUrl } = stage.queues.website;
  const Attributes = { VisibilityTimeout: "5" };
  await stage.sqs.send(new SetQueueAttributesCommand({ QueueUrl: queueUrl, Attributes }));
  await stage.deadLetter("config-digest", { namespace: "default", name: "a" });
  const { code, checks } = await levels();
  expect(code).toBe(1);
  for (const good of ["versions", "controllers", "table", "clock", "cluster", "rights", "webhooks"])
    expect(checks.get(good)?.level).toBe("ok");
  expect(checks.get("queue of website")).toMatchObject({
    level: "fail",
    text: expect.stringContaining("VisibilityTimeout is 5, expected "),
    todo: "deploy the controller again",
  });
  expect(checks.get("runs of website")).toMatchObject({ level: "ok", text: "running" });
  expect(checks.get("runs of guestbook")).toMatchObject({ level: "fail", todo: "deploy it" });
  expect(checks.get("kinds")).toMatchObject({
    level: "fail",
    text: expect.stringMatching(/^not served: .*guestbooks of webapp\.example\.com\/v1/),
  });
  expect(checks.has("kubectl")).toBe(true);
  expect(checks.get("queue of guestbook")?.text).toMatch(
    /cannot find queue tidegate-local-guestbook/,
  );
  expect(checks.get("dead letters of config-digest")).toMatchObject({ level: "warn", text: "1" });
  expect(checks.get("watcher")).toMatchObject({ level: "fail", text: "none leads (none)" });
});

test("a webhook that must answer for every resource is named, and others are not", () => {
  const rules = (...resources: string[]) => [{ resources }];
  const webhooks = [
    { name: "all", rules: rules("*/*") },
    { name: "lenient", failurePolicy: "Ignore", rules: rules("*") },
    { name: "pods", failurePolicy: "Fail", rules: rules("pods") },
  ];
  expect(broadWebhooks([{ webhooks }, {}])).toEqual(["all"]);
});
