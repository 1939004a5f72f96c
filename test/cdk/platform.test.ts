import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Template } from "aws-cdk-lib/assertions";
import type { ControllerFunction } from "../../cdk/controller-function.ts";
import { configDigestController } from "../../functions/config-digest/controller.ts";
import { ensureTable } from "../../shared/queue/dynamo-table.ts";
import { queueNames } from "../../shared/queue/queue-names.ts";
import { recordPartition } from "../../shared/queue/record-key.ts";
import { readEnvironment } from "../../shared/worker/environment.ts";
import { CLUSTER } from "./eks-clusters.ts";
import {
  controllerNamed,
  ENTRY,
  type Made,
  madePlatform,
  OUT,
  type Properties,
  propertiesOf,
  theOne,
} from "./stage.ts";

const QUEUE = "AWS::SQS::Queue";
const FUNCTION = "AWS::Lambda::Function";
const MAPPING = "AWS::Lambda::EventSourceMapping";

const CONTROLLERS = [
  { controller: configDigestController, id: "configdigest" },
  {
    controller: controllerNamed("least", { maxConcurrentReconciles: 2, timeoutSeconds: 5 }),
    id: "least",
  },
  {
    controller: controllerNamed("most", { maxConcurrentReconciles: 10_000, timeoutSeconds: 900 }),
    id: "most",
  },
  { controller: controllerNamed("odd", { maxConcurrentReconciles: 7 }), id: "odd" },
];

let made: Made;
let template: Template;
let added: readonly ControllerFunction[];

beforeAll(() => {
  made = madePlatform();
  added = CONTROLLERS.map(({ controller }) =>
    made.platform.addController(controller, { entry: ENTRY, environment: { ZONE_ID: "Z1" } }),
  );
  template = Template.fromStack(made.stack);
}, 60_000);
afterAll(() => rm(OUT, { recursive: true, force: true }));

test.each(CONTROLLERS)("the numbers of $id agree with one another and its definition", (each) => {
  const { controller, id } = each;
  const queue = theOne(template, QUEUE, `${id}Queue`);
  const mapping = theOne(template, MAPPING, id);
  const { Timeout } = theOne(template, FUNCTION, id);
  const visibility = queue.VisibilityTimeout as number;
  const { maxReceiveCount } = queue.RedrivePolicy as { readonly maxReceiveCount: number };
  const { MaximumConcurrency } = mapping.ScalingConfig as { readonly MaximumConcurrency: number };
  const runs = (mapping.BatchSize as number) * MaximumConcurrency;
  expect(Timeout).toBe(controller.timeoutSeconds);
  expect(visibility).toBe(6 * controller.timeoutSeconds);
  expect((maxReceiveCount - 1) * visibility).toBeGreaterThan(300); // Q: what SQS remembers.
  expect(runs).toBeLessThanOrEqual(controller.maxConcurrentReconciles);
  expect(runs).toBeGreaterThan(controller.maxConcurrentReconciles / 2);
  // What Lambda takes. https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-parameters.html
  expect(MaximumConcurrency).toBeGreaterThanOrEqual(2);
  expect(MaximumConcurrency).toBeLessThanOrEqual(1_000);
});

test("queues are FIFO in high-throughput mode, each under the name by which commands find it", () => {
  for (const { controller, id } of CONTROLLERS) {
    const names = queueNames(CLUSTER.name, controller.name);
    const common = {
      FifoQueue: true,
      DeduplicationScope: "messageGroup",
      FifoThroughputLimit: "perMessageGroupId",
      MessageRetentionPeriod: 14 * 86_400,
      SqsManagedSseEnabled: true,
    };
    const dead = theOne(template, QUEUE, `${id}DeadLetterQueue`);
    expect(dead).toEqual({ ...common, QueueName: names.deadLetterQueue });
    const { RedrivePolicy, VisibilityTimeout: _, ...rest } = theOne(template, QUEUE, `${id}Queue`);
    expect(rest).toEqual({ ...common, QueueName: names.queue });
    const target = (RedrivePolicy as { readonly deadLetterTargetArn: object }).deadLetterTargetArn;
    expect(JSON.stringify(target)).toContain(`${id}DeadLetterQueue`);
  }
});

test("every queue refuses what does not come by TLS", () => {
  const policies = propertiesOf(template, "AWS::SQS::QueuePolicy");
  const refs = policies.flatMap(({ Queues }) => Queues as readonly { readonly Ref: string }[]);
  expect(refs.map(({ Ref }) => Ref).sort()).toEqual(
    Object.keys(template.findResources(QUEUE)).sort(),
  );
  for (const { PolicyDocument } of policies) {
    const denied = { Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } };
    expect(PolicyDocument).toMatchObject({ Statement: [{ ...denied, Action: "sqs:*" }] });
  }
});

test("a mapping reports failures one by one, and neither filters nor waits", () => {
  for (const { id } of CONTROLLERS) {
    expect(theOne(template, MAPPING, id)).toEqual({
      BatchSize: expect.any(Number),
      ScalingConfig: { MaximumConcurrency: expect.any(Number) },
      EventSourceArn: { "Fn::GetAtt": [expect.stringContaining(`${id}Queue`), "Arn"] },
      FunctionName: { Ref: expect.stringContaining(`${id}Function`) },
      FunctionResponseTypes: ["ReportBatchItemFailures"],
    });
  }
});

test("a function is a bundle for Node 24 on arm64 that exports its handler", async () => {
  const { Code, ...rest } = theOne(template, FUNCTION, "configdigest");
  expect(rest).toMatchObject({
    Architectures: ["arm64"],
    Runtime: "nodejs24.x",
    Handler: "index.handler",
    MemorySize: 512,
    TracingConfig: { Mode: "Active" },
    LoggingConfig: { LogFormat: "JSON", LogGroup: { Ref: expect.any(String) } },
  });
  expect(rest).not.toHaveProperty("RecursiveLoop");
  const { S3Key } = Code as { readonly S3Key: string };
  const folder = join(OUT, `asset.${S3Key.replace(".zip", "")}`);
  const files = await readdir(folder);
  expect(files.length).toBeGreaterThan(1); // Split.
  const module = (await import(pathToFileURL(join(folder, "index.mjs")).href)) as object;
  expect(module).toEqual(expect.objectContaining({ handler: expect.any(Function) }));
});

test("its environment is what the worker reads", () => {
  const { Environment } = theOne(template, FUNCTION, "configdigest");
  const { Variables } = Environment as { readonly Variables: Readonly<Record<string, unknown>> };
  const known = Object.entries(Variables).map(([name, value]) => [name, textOf(value)]);
  const read = readEnvironment({ ...Object.fromEntries(known), AWS_REGION: "eu-central-1" });
  expect(read).toEqual({
    table: expect.stringContaining("Table"),
    queueUrl: expect.stringMatching(/configdigestQueue/),
    deadLetterQueueUrl: expect.stringMatching(/configdigestDeadLetterQueue/),
    cluster: "prod",
    revision: added[0]?.revision,
    access: {
      endpoint: CLUSTER.endpoint,
      certificateAuthorityData: CLUSTER.certificateAuthorityData,
      region: "eu-central-1",
    },
  });
  expect(Variables.ZONE_ID).toBe("Z1");
});

test("a function may work off its queue, keep its own records and tell of it, and nothing else", () => {
  const { Policies, ManagedPolicyArns } = theOne(template, "AWS::IAM::Role", "configdigest");
  expect(ManagedPolicyArns).toBeUndefined();
  expect(propertiesOf(template, "AWS::IAM::Policy")).toEqual([]);
  const [policy, ...more] = Policies as readonly {
    readonly PolicyDocument: { readonly Statement: readonly Properties[] };
  }[];
  expect(more).toEqual([]);
  const granted = policy?.PolicyDocument.Statement.map(
    ({ Action, Resource, Condition, Effect }) => [
      [Action].flat().join(" "),
      textOf(Resource),
      Condition,
      Effect,
    ],
  );
  const own = Array.from({ length: 16 }, (_, shard) =>
    recordPartition({ cluster: "prod", controller: "config-digest" }, shard),
  );
  const receive =
    "sqs:ReceiveMessage sqs:DeleteMessage sqs:ChangeMessageVisibility sqs:GetQueueAttributes";
  const records = "dynamodb:BatchGetItem dynamodb:GetItem dynamodb:UpdateItem";
  const keys = { "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": own } };
  const logs = "logs:CreateLogStream logs:PutLogEvents";
  expect(granted).toEqual([
    [receive, expect.stringMatching(/configdigestQueue.*\.Arn$/), undefined, "Allow"],
    [
      "sqs:SendMessage",
      expect.stringMatching(/configdigestDeadLetterQueue.*\.Arn$/),
      undefined,
      "Allow",
    ],
    [records, expect.stringMatching(/^PlatformTable\w+\.Arn$/), keys, "Allow"],
    [logs, expect.stringMatching(/configdigestLogs.*\.Arn$/), undefined, "Allow"],
    ["xray:PutTraceSegments xray:PutTelemetryRecords", "*", undefined, "Allow"],
  ]);
});

test("a function enters the cluster as the groups of tidegate manifests", () => {
  expect(theOne(template, "AWS::EKS::AccessEntry", "configdigest")).toEqual({
    ClusterName: "prod",
    PrincipalArn: { "Fn::GetAtt": [expect.stringContaining("configdigestRole"), "Arn"] },
    KubernetesGroups: ["tidegate:function:config-digest", "tidegate:functions"],
    Type: "STANDARD",
  });
});

test("the table is the one that local mode makes, on demand, with TTL and point-in-time recovery", async () => {
  const [{ input }] = await tableCommands();
  const [table = {}] = propertiesOf(template, "AWS::DynamoDB::Table");
  const { TableName: _, ...expected } = input;
  expect({
    ...table,
    AttributeDefinitions: sorted(table.AttributeDefinitions),
  }).toEqual({
    ...expected,
    AttributeDefinitions: sorted(expected.AttributeDefinitions),
    TimeToLiveSpecification: { AttributeName: "expiresAt", Enabled: true },
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
});

test("a controller takes at most 12 resources", () => {
  const ids = Object.keys(template.toJSON().Resources);
  for (const { id } of CONTROLLERS) {
    const own = ids.filter((each) => each.startsWith(`Platform${id}`));
    expect(own.length).toBeGreaterThan(7);
    expect(own.length).toBeLessThanOrEqual(12);
  }
});

/** What local mode sends to make a table. */
async function tableCommands(): Promise<[CreateTableCommand]> {
  const sent: unknown[] = [];
  const active = { TableStatus: "ACTIVE", GlobalSecondaryIndexes: [{ IndexStatus: "ACTIVE" }] };
  const send = async (command: unknown) => {
    sent.push(command);
    return { Table: active };
  };
  const client = { send } as unknown as DynamoDBClient;
  await ensureTable(client, "records", { sleep: async () => {} });
  return sent as [CreateTableCommand];
}

function sorted(list: unknown): readonly string[] {
  return (list as readonly object[]).map((each) => JSON.stringify(each)).sort();
}

/** A value as its reader would have it, or what it refers to. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const { Ref, "Fn::GetAtt": attribute } = value as Readonly<Record<string, string | string[]>>;
  return String(Ref ?? (attribute as string[]).join("."));
}
