import { Duration, Validations } from "aws-cdk-lib";
import type { ISecurityGroup } from "aws-cdk-lib/aws-ec2";
import type { IRole } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  type CfnFunction,
  type Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { Controller } from "../shared/api/controller.ts";
import type { EksCluster } from "./cluster.ts";

export interface LambdaFunctionOptions {
  readonly controller: Controller;
  readonly cluster: EksCluster;
  readonly securityGroup?: ISecurityGroup;
  readonly memorySize?: number;
  readonly role: IRole;
  readonly code: Code;
  readonly logGroup: ILogGroup;
  readonly variables: Record<string, string>;
}

/** The function of a controller. */
export function lambdaFunction(scope: Construct, options: LambdaFunctionOptions): LambdaFunction {
  const { controller, role, code, logGroup, variables } = options;
  const made = new LambdaFunction(scope, "Function", {
    description: descriptionOf(options),
    architecture: Architecture.ARM_64,
    runtime: Runtime.NODEJS_24_X,
    handler: "index.handler",
    code,
    timeout: Duration.seconds(controller.timeoutSeconds),
    memorySize: options.memorySize ?? DEFAULT_MEMORY_SIZE,
    environment: variables,
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    // Lambda's own lines of each invocation would cost as much as the queue; what they tell, metrics do.
    systemLogLevelV2: SystemLogLevel.WARN,
    ...networkOf(options),
  });
  const resource = made.node.defaultChild as CfnFunction;
  // Not by the option `tracing`, which would give the permission once more, in a policy of its own.
  resource.tracingConfig = { mode: Tracing.ACTIVE };
  Validations.of(made).acknowledge({ id: "Serverless-LambdaDLQ", reason: NO_QUEUE_OF_ITS_OWN });
  return made;
}

const DEFAULT_MEMORY_SIZE = 512;

const NO_QUEUE_OF_ITS_OWN =
  "A function's own dead-letter queue is for asynchronous invocations. This one is invoked by its event " +
  "source mapping, and what it fails on stays in the queue, which has a dead-letter queue.";

/** https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html */
const MAX_DESCRIPTION_CHARACTERS = 256;

function descriptionOf({ controller, cluster }: LambdaFunctionOptions): string {
  const { kind, apiVersion } = controller.for;
  const text = `Reconciles ${kind} of ${apiVersion} in cluster ${cluster.name}`;
  return text.slice(0, MAX_DESCRIPTION_CHARACTERS);
}

function networkOf({ cluster: { network }, securityGroup }: LambdaFunctionOptions) {
  if (!network) return {};
  return {
    vpc: network.vpc,
    ...(network.subnets && { vpcSubnets: network.subnets }),
    ...(securityGroup && { securityGroups: [securityGroup] }),
  };
}
