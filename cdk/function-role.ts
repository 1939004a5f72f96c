import { Validations } from "aws-cdk-lib";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { recordPartition, SHARD_COUNT } from "../shared/queue/record-key.ts";
import type { ControllerQueues } from "./controller-queues.ts";

export interface FunctionRoleOptions extends ControllerQueues {
  readonly cluster: string;
  readonly controller: string;
  readonly table: ITable;
  readonly logGroup: ILogGroup;
  /** Whether the function runs in a VPC. */
  readonly networked: boolean;
}

/**
 * What a controller's function may do in AWS: work off its queue, keep the records of its own keys, and
 * tell what it did. Its tokens for the cluster it signs by itself, which takes no permission.
 */
export function functionRole(scope: Construct, options: FunctionRoleOptions): Role {
  const { cluster, controller, networked } = options;
  const statements = [
    ...queueStatements(options),
    recordStatement(options),
    allow(["logs:CreateLogStream", "logs:PutLogEvents"], options.logGroup.logGroupArn),
    allow(["xray:PutTraceSegments", "xray:PutTelemetryRecords"], "*"),
    ...(networked ? [allow(NETWORK_ACTIONS, "*")] : []),
  ];
  const role = new Role(scope, "Role", {
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    description: `Function of controller ${controller} in cluster ${cluster}`,
    inlinePolicies: { function: new PolicyDocument({ statements }) },
  });
  Validations.of(role).acknowledge(
    { id: "AwsSolutions-IAM5[Resource::*]", reason: EVERY_RESOURCE },
    { id: "Serverless-LambdaStarPermissions", reason: EVERY_RESOURCE },
  );
  return role;
}

/**
 * Lambda itself makes and removes the network interfaces.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html#configuration-vpc-permissions
 */
const NETWORK_ACTIONS = [
  "ec2:CreateNetworkInterface",
  "ec2:DescribeNetworkInterfaces",
  "ec2:DescribeSubnets",
  "ec2:DeleteNetworkInterface",
  "ec2:AssignPrivateIpAddresses",
  "ec2:UnassignPrivateIpAddresses",
];

const EVERY_RESOURCE =
  "X-Ray knows no resources: its PutTraceSegments and PutTelemetryRecords can be allowed for all or for none. " +
  "In a VPC the network interfaces are made by Lambda, under ids that nobody knows before.";

function queueStatements({ queue, deadLetterQueue }: ControllerQueues): PolicyStatement[] {
  return [
    // The event source mapping receives, the worker deletes and changes.
    allow(
      [
        "sqs:ReceiveMessage",
        "sqs:DeleteMessage",
        "sqs:ChangeMessageVisibility",
        "sqs:GetQueueAttributes",
      ],
      queue.queueArn,
    ),
    // What the worker itself gives up.
    allow(["sqs:SendMessage"], deadLetterQueue.queueArn),
  ];
}

/** Only the partitions of the controller's own records. */
function recordStatement({ table, cluster, controller }: FunctionRoleOptions): PolicyStatement {
  const partitions = Array.from({ length: SHARD_COUNT }, (_, shard) =>
    recordPartition({ cluster, controller }, shard),
  );
  const statement = allow(
    ["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:UpdateItem"],
    table.tableArn,
  );
  statement.addCondition("ForAllValues:StringEquals", { "dynamodb:LeadingKeys": partitions });
  return statement;
}

function allow(actions: string[], resource: string): PolicyStatement {
  return new PolicyStatement({ actions, resources: [resource] });
}
