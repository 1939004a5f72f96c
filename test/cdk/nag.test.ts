import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { App, Stack, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks, ServerlessChecks } from "cdk-nag";
import { clustersInContext } from "../../cdk/clusters-in-context.ts";
import { ReconcilerPlatform } from "../../cdk/reconciler-platform.ts";
import { CLUSTER, PRIVATE_CLUSTER } from "./eks-clusters.ts";
import { controllerNamed, ENTRY, OUT } from "./stage.ts";

let app: App;
let stack: Stack;

beforeAll(() => {
  const clusters = [CLUSTER, PRIVATE_CLUSTER];
  app = new App({ outdir: OUT, context: { "tidegate:clusters": clusters } });
  stack = new Stack(app, "Test");
  for (const cluster of clustersInContext(stack)) {
    const platform = new ReconcilerPlatform(stack, `Platform-${cluster.name}`, { cluster });
    const target = platform.addController(controllerNamed("one"), { entry: ENTRY });
    const sender = platform.addController(controllerNamed("two"), { entry: ENTRY });
    target.grantRequests(sender.function);
  }
}, 60_000);
afterAll(() => rm(OUT, { recursive: true, force: true }));

test("the packs AwsSolutions and Serverless of cdk-nag find nothing", () => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  // Rejects with the number of findings, which it prints.
  expect(() => app.synth()).not.toThrow();
});

test("what is acknowledged is this, each with its reason", () => {
  const key = Validations.ACKNOWLEDGED_RULES_METADATA_KEY;
  const acknowledged = stack.node
    .findAll()
    .flatMap(({ node }) => node.metadata.filter(({ type }) => type === key))
    .flatMap(({ data }) => Object.entries(data as Readonly<Record<string, string>>))
    .map(([id, reason]) => [id.replace(/^annotation::/i, ""), reason] as const);
  expect([...new Set(acknowledged.map(([id]) => id))].sort()).toEqual([
    "AwsSolutions-IAM5[Resource::*]",
    "Serverless-LambdaDLQ",
    "Serverless-LambdaEventSourceMappingDestination",
    "Serverless-LambdaStarPermissions",
    "Serverless-SQSRedrivePolicy",
  ]);
  for (const [, reason] of acknowledged) expect(reason).toMatch(/^[A-Z].{60,}\.$/);
});
