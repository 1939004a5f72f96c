import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { App, Aws, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { SecurityGroup, Vpc } from "aws-cdk-lib/aws-ec2";
import { Cluster, KubernetesVersion } from "aws-cdk-lib/aws-eks-v2";
import { clustersInContext } from "../../cdk/clusters-in-context.ts";
import { readControllers } from "../../cdk/read-controllers.ts";
import { ReconcilerPlatform } from "../../cdk/reconciler-platform.ts";
import { CLUSTER, PRIVATE_CLUSTER } from "./eks-clusters.ts";
import { controllerNamed, ENTRY, madePlatform, OUT, propertiesOf, ROOT, theOne } from "./stage.ts";

afterAll(() => rm(OUT, { recursive: true, force: true }));

const LIMIT_MS = 60_000; // The first bundles, and loads the CDK.
const one = controllerNamed("one");
const FUNCTION = "AWS::Lambda::Function";

test(
  "environment and code make the revision, the cluster does not",
  () => {
    const revision = (environment: Record<string, string>, entry = ENTRY, cluster = CLUSTER) =>
      madePlatform({ cluster }).platform.addController(one, { environment, entry }).revision;
    const first = revision({ A: "1", B: "2" });
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    expect(revision({ B: "2", A: "1" })).toBe(first);
    expect(revision({ A: "1", B: "2" }, ENTRY, { ...CLUSTER, name: "other" })).toBe(first);
    expect(revision({ A: "1", B: "3" })).not.toBe(first);
    const guestbook = join(ROOT, "functions/guestbook/handler.ts");
    expect(revision({ A: "1", B: "2" }, guestbook)).not.toBe(first);
  },
  LIMIT_MS,
);

test("a function that sends requests is not stopped as a loop, and may only send", () => {
  const { stack, platform } = madePlatform();
  const target = platform.addController(one, { entry: ENTRY });
  const sender = platform.addController(controllerNamed("sender"), { entry: ENTRY });
  target.grantRequests(sender.function);
  const template = Template.fromStack(stack);
  expect(theOne(template, FUNCTION, "senderFunction")).toMatchObject({ RecursiveLoop: "Allow" });
  expect(theOne(template, FUNCTION, "oneFunction")).not.toHaveProperty("RecursiveLoop");
  const queue = { "Fn::GetAtt": [expect.stringContaining("oneQueue"), "Arn"] };
  expect(theOne(template, "AWS::IAM::Policy", "sender").PolicyDocument).toMatchObject({
    Statement: [{ Action: "sqs:SendMessage", Effect: "Allow", Resource: queue }],
  });
});

test("functions run in the network of a private endpoint, and the cluster lets them in", () => {
  const app = new App({ outdir: OUT });
  const network = new Stack(app, "Network");
  const vpc = new Vpc(network, "Vpc");
  const clusterSecurityGroup = new SecurityGroup(network, "Cluster", { vpc });
  const stack = new Stack(app, "Test");
  const cluster = { ...CLUSTER, network: { vpc, clusterSecurityGroup } };
  const platform = new ReconcilerPlatform(stack, "Platform", { cluster });
  platform.addController(one, { entry: ENTRY });
  platform.addController(controllerNamed("two"), { entry: ENTRY });
  const template = Template.fromStack(stack);
  const group = { "Fn::GetAtt": [expect.stringContaining("PlatformFunctions"), "GroupId"] };
  for (const { VpcConfig } of propertiesOf(template, FUNCTION)) {
    expect(VpcConfig).toEqual({
      SecurityGroupIds: [group],
      SubnetIds: [expect.anything(), expect.anything()],
    });
  }
  expect(propertiesOf(template, "AWS::EC2::SecurityGroup")).toHaveLength(1);
  expect(propertiesOf(template, "AWS::EC2::SecurityGroupIngress")).toEqual([
    expect.objectContaining({ FromPort: 443, ToPort: 443, SourceSecurityGroupId: group }),
  ]);
  const role = JSON.stringify(theOne(template, "AWS::IAM::Role", "oneRole"));
  expect(role).toContain("ec2:CreateNetworkInterface");
});

test("a cluster of the same stack is made before what enters it", () => {
  const stack = new Stack(new App({ outdir: OUT }), "Test");
  const eks = new Cluster(stack, "Eks", { clusterName: "made", version: KubernetesVersion.V1_36 });
  const cluster = {
    name: "made",
    endpoint: eks.clusterEndpoint,
    certificateAuthorityData: eks.clusterCertificateAuthorityData,
  };
  new ReconcilerPlatform(stack, "Platform", { cluster }).addController(one, { entry: ENTRY });
  const template = Template.fromStack(stack);
  const entries = template.findResources("AWS::EKS::AccessEntry", {
    Properties: { KubernetesGroups: ["tidegate:function:one", "tidegate:functions"] },
  });
  const [{ DependsOn } = { DependsOn: [] }] = Object.values(entries);
  expect(DependsOn).toContainEqual(expect.stringMatching(/^PlatformoneFunction/));
  const { Environment } = theOne(template, FUNCTION, "PlatformoneFunction");
  const endpoint = { "Fn::GetAtt": [expect.stringMatching(/^Eks/), "Endpoint"] };
  expect(Environment).toMatchObject({ Variables: { TIDEGATE_EKS_ENDPOINT: endpoint } });
});

test("several clusters share a stack and a table, and their functions not even a key", () => {
  const { stack, platform } = madePlatform();
  const { table } = platform;
  const cluster = { ...CLUSTER, name: "staging" };
  const second = new ReconcilerPlatform(stack, "Second", { cluster, table, name: "team-a" });
  platform.addController(one, { entry: ENTRY });
  second.addController(one, { entry: ENTRY });
  const template = Template.fromStack(stack);
  template.resourceCountIs("AWS::DynamoDB::Table", 1);
  const role = JSON.stringify(theOne(template, "AWS::IAM::Role", "Secondone"));
  expect(role).toContain("object#staging#one#0");
  expect(role).not.toContain("object#prod#");
  expect(theOne(template, "AWS::EKS::AccessEntry", "Secondone")).toMatchObject({
    ClusterName: "staging",
    KubernetesGroups: ["team-a:function:one", "team-a:functions"],
  });
});

test("warm throughput is that of table and index", () => {
  const warm = { readUnitsPerSecond: 15_000, writeUnitsPerSecond: 6_000 };
  const { stack } = madePlatform({ warmThroughput: warm });
  const WarmThroughput = { ReadUnitsPerSecond: 15_000, WriteUnitsPerSecond: 6_000 };
  const index = { IndexName: "due", WarmThroughput };
  Template.fromStack(stack).hasResourceProperties("AWS::DynamoDB::Table", {
    WarmThroughput,
    GlobalSecondaryIndexes: [index],
  });
});

test("a stack that is nearly full says so, and another takes the rest", () => {
  const { app, stack, platform } = madePlatform();
  for (let at = 0; at < 53; at += 1)
    platform.addController(controllerNamed(`c${at}`), { entry: ENTRY });
  const more = new Stack(app, "More");
  platform.addController(one, { entry: ENTRY, scope: more });
  expect(platform.controllers).toHaveLength(54);
  Template.fromStack(more).resourceCountIs(FUNCTION, 1);
  platform.addController(controllerNamed("last"), { entry: ENTRY });
  expect(() => app.synth({ force: true })).toThrow(
    /stack Test has 48\d resources: expected at most 480, .*another stack: platform\.addController/,
  );
  expect(stack.node.id).toBe("Test");
});

test.each([
  ["a name known at deploy only", { name: Aws.STACK_NAME }, /expected name to be letters/],
  [
    "a name that EKS does not know",
    { name: "a b" },
    /cluster a b: expected name to be .* got "a b"/,
  ],
  [
    "an endpoint without https",
    { endpoint: "ABC.eks.amazonaws.com" },
    /expected endpoint to be https/,
  ],
  [
    "a CA that is no PEM",
    { certificateAuthorityData: "AAAA" },
    /expected certificateAuthorityData to be PEM/,
  ],
])("fails when the cluster has %s", (_, part, text) => {
  expect(() => madePlatform({ cluster: { ...CLUSTER, ...part } })).toThrow(text);
});

const long = "a".repeat(40);
const longCluster = { ...CLUSTER, name: "b".repeat(40) };

test.each<[string, () => unknown, RegExp]>([
  [
    "a controller is added twice",
    () => {
      const { platform } = madePlatform();
      platform.addController(one, { entry: ENTRY });
      platform.addController(one, { entry: ENTRY });
    },
    /expected queue tidegate-prod-one\.fifo once .* got it in Test\/Platform too/,
  ],
  [
    "names of clusters and controllers join to the same",
    () => {
      const { stack, platform } = madePlatform({ cluster: { ...CLUSTER, name: "prod-a" } });
      platform.addController(controllerNamed("b"), { entry: ENTRY });
      const second = new ReconcilerPlatform(stack, "Second", { cluster: CLUSTER });
      second.addController(controllerNamed("a-b"), { entry: ENTRY });
    },
    /expected queue tidegate-prod-a-b\.fifo once in an account and region/,
  ],
  [
    "a queue's name is too long",
    () =>
      madePlatform({ cluster: longCluster }).platform.addController(controllerNamed(long), {
        entry: ENTRY,
      }),
    /expected at most 80 characters, got 95; give the controller a shorter name/,
  ],
  [
    "there is no handler",
    () => madePlatform().platform.addController(one),
    /cannot bundle Test\/Platform\/one: expected .*functions\/one\/handler\.ts, which exports/,
  ],
  [
    "something that the handler imports is not there",
    () =>
      madePlatform().platform.addController(one, {
        entry: join(ROOT, "test/cdk/broken-handler.ts"),
      }),
    /cannot bundle .*Could not resolve "not-installed"/s,
  ],
  [
    "the environment takes a name of ours",
    () =>
      madePlatform().platform.addController(one, {
        entry: ENTRY,
        environment: { TIDEGATE_TABLE: "x" },
      }),
    /cannot set TIDEGATE_TABLE for controller one: .*rename it/,
  ],
  [
    "the environment takes a name of Lambda's",
    () =>
      madePlatform().platform.addController(one, {
        entry: ENTRY,
        environment: { AWS_REGION: "x" },
      }),
    /cannot set AWS_REGION for controller one/,
  ],
  [
    "the environment is larger than Lambda takes",
    () =>
      madePlatform().platform.addController(one, {
        entry: ENTRY,
        environment: { A: "x".repeat(4_000) },
      }),
    /cannot deploy controller one: expected at most 4096 bytes of environment, got \d+; put large/,
  ],
  [
    "a table of another is to be warmed",
    () => madePlatform({ table: madePlatform().platform.table, warmThroughput: {} }),
    /cannot warm the table of platform Test\/Platform: .*set it on the platform whose table this is/,
  ],
])("fails when %s", (_, make, text) => {
  expect(make).toThrow(text);
});

const inContext = (value: unknown) => {
  const app = new App({
    outdir: OUT,
    context: value === undefined ? {} : { "tidegate:clusters": value },
  });
  const stack = new Stack(app, "Test");
  return { stack, clusters: clustersInContext(stack) };
};

test("clusters of the context are what it says, as an array or as text after -c", () => {
  expect(inContext([CLUSTER]).clusters).toEqual([CLUSTER]);
  expect(inContext(JSON.stringify([CLUSTER])).clusters).toEqual([CLUSTER]);
  const [cluster] = inContext([PRIVATE_CLUSTER]).clusters;
  expect(cluster?.network?.vpc.vpcId).toBe("vpc-0a1b2c3d");
  expect(cluster?.network?.clusterSecurityGroup.securityGroupId).toBe("sg-0a1b2c3d");
  const ids = cluster?.network?.subnets?.subnets?.map(({ subnetId }) => subnetId);
  expect(ids).toEqual(PRIVATE_CLUSTER.vpc.subnetIds);
});

test("what the context leaves out is asked for at deploy", () => {
  const { stack, clusters } = inContext([{ name: "prod" }]);
  for (const cluster of clusters) {
    new ReconcilerPlatform(stack, "Platform", { cluster }).addController(one, { entry: ENTRY });
  }
  const template = Template.fromStack(stack);
  const [endpoint = "", ca = ""] = Object.keys(template.findParameters("*", { Type: "String" }));
  expect(theOne(template, FUNCTION, "one")).toMatchObject({
    Environment: {
      Variables: { TIDEGATE_EKS_ENDPOINT: { Ref: endpoint }, TIDEGATE_EKS_CA: { Ref: ca } },
    },
  });
});

test.each([
  undefined,
  [],
  "prod",
  [{ endpoint: "https://x" }],
  [{ name: "a", vpc: {} }],
  [{ name: "a", vcp: {} }],
])("refuses %j as the clusters of the context", (value) => {
  expect(() => inContext(value)).toThrow(/cannot tell the clusters: expected "tidegate:clusters"/);
});

test("controllers are found in their folders, each beside its handler", async () => {
  const found = await readControllers(join(ROOT, "functions"));
  expect(found.map(({ controller: { name }, entry }) => [name, entry])).toEqual(
    ["config-digest", "cronjob", "guestbook", "website"].map((name) => [
      name,
      join(ROOT, "functions", name, "handler.ts"),
    ]),
  );
  await expect(readControllers(join(ROOT, "docs"))).rejects.toThrow(/cannot find controllers in/);
  const two = await mkdtemp(join(OUT, "two-"));
  await mkdir(join(two, "pair"));
  const exported = ["config-digest", "guestbook"].map(
    (name) => `export * from "${join(ROOT, "functions", name, "controller.ts")}";`,
  );
  await writeFile(join(two, "pair/controller.ts"), exported.join("\n"));
  await expect(readControllers(two)).rejects.toThrow(
    /cannot deploy .*pair\/controller\.ts: expected it to export one controller, got 2/,
  );
});
