import { resolve } from "node:path";
import { RemovalPolicy, Validations } from "aws-cdk-lib";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { ISecurityGroup } from "aws-cdk-lib/aws-ec2";
import { CfnAccessEntry } from "aws-cdk-lib/aws-eks";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import {
  type CfnFunction,
  EventSourceMapping,
  type Function as LambdaFunction,
  RecursiveLoop,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, type RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { Controller } from "../shared/api/controller.ts";
import { type Mapping, mappingOf } from "../shared/api/mapping.ts";
import type { EksCluster } from "./cluster.ts";
import { controllerQueues } from "./controller-queues.ts";
import { FunctionCode } from "./function-code.ts";
import { functionRole } from "./function-role.ts";
import { functionVariables, revisionOf } from "./function-variables.ts";
import { lambdaFunction } from "./lambda-function.ts";

/** What a stack says of a controller. All numbers of its queue and mapping are in its definition. */
export interface ControllerFunctionOptions {
  /** What `handler.ts` reads of its environment. A change of it is a new revision. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The file that exports `handler`; default: `functions/NAME/handler.ts` of the working directory. */
  readonly entry?: string;
  /** MiB, 128 to 10,240; default 512. With it comes the share of a CPU. */
  readonly memorySize?: number;
}

export interface ControllerFunctionProps extends ControllerFunctionOptions {
  readonly controller: Controller;
  readonly cluster: EksCluster;
  readonly table: ITable;
  /** Of functions in the cluster's network. */
  readonly securityGroup?: ISecurityGroup;
  readonly logRetention: RetentionDays;
  /** The groups that the function is in, as a user of the cluster. */
  readonly kubernetesGroups: readonly string[];
}

/** The queue of a controller, the function that works it off, and its entry into the cluster. */
export class ControllerFunction extends Construct {
  readonly controller: Controller;
  /** The numbers that follow from the definition. */
  readonly mapping: Mapping;
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;
  readonly function: LambdaFunction;
  readonly logGroup: LogGroup;
  /** Which code this is, by bundle and environment. The watcher brings every object to a new one. */
  readonly revision: string;

  constructor(scope: Construct, id: string, props: ControllerFunctionProps) {
    super(scope, id);
    const { controller, cluster, table, environment = {} } = props;
    const at = { cluster: cluster.name, controller: controller.name };
    this.controller = controller;
    this.mapping = mappingOf(controller);
    const queues = controllerQueues(this, { ...at, mapping: this.mapping });
    this.queue = queues.queue;
    this.deadLetterQueue = queues.deadLetterQueue;
    this.logGroup = new LogGroup(this, "Logs", {
      retention: props.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const networked = cluster.network !== undefined;
    const { logGroup } = this;
    const role = functionRole(this, { ...at, ...queues, table, logGroup, networked });
    const code = new FunctionCode(this, resolve(entryOf(props)));
    this.revision = revisionOf(this, code.hash, environment);
    const { revision } = this;
    const variables = functionVariables(this, { ...props, ...queues, revision, environment });
    this.function = lambdaFunction(this, { ...props, role, code, logGroup, variables });
    addMapping(this);
    const entry = new CfnAccessEntry(this, "AccessEntry", {
      clusterName: cluster.name,
      principalArn: role.roleArn,
      kubernetesGroups: [...props.kubernetesGroups],
      type: "STANDARD",
    });
    // Its name does not tell that the cluster may be of this very stack; the function's environment does.
    entry.node.addDependency(this.function);
  }

  /**
   * Lets another function ask for reconciles of this controller: `requestReconcile`, which is to be
   * given the URL of `queue`. Lambda would stop it after 16 requests in a chain, for it cannot tell
   * controllers that wake one another from an accident.
   * https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
   */
  grantRequests(sender: LambdaFunction): void {
    sender.addToRolePolicy(
      new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [this.queue.queueArn] }),
    );
    (sender.node.defaultChild as CfnFunction).recursiveLoop = RecursiveLoop.ALLOW;
  }
}

function entryOf({ entry, controller }: ControllerFunctionProps): string {
  return entry ?? `functions/${controller.name}/handler.ts`;
}

/** Without a filter, which deletes what it does not match, and without a window, which FIFO queues do not know. */
function addMapping(at: ControllerFunction): void {
  const mapping = new EventSourceMapping(at, "Mapping", {
    target: at.function,
    eventSourceArn: at.queue.queueArn,
    batchSize: at.mapping.batchSize,
    maxConcurrency: at.mapping.maximumConcurrency,
    reportBatchItemFailures: true,
  });
  Validations.of(mapping).acknowledge({
    id: "Serverless-LambdaEventSourceMappingDestination",
    reason:
      "Destinations are for streams. What fails of a queue stays in it, and it has a dead-letter queue.",
  });
}
