import { CfnOutput } from "aws-cdk-lib";
import type { ITable, WarmThroughput } from "aws-cdk-lib/aws-dynamodb";
import {
  CfnSecurityGroupIngress,
  type ISecurityGroup,
  Peer,
  Port,
  SecurityGroup,
} from "aws-cdk-lib/aws-ec2";
import { RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { Controller } from "../shared/api/controller.ts";
import { queueNames } from "../shared/queue/queue-names.ts";
import { claimQueue } from "./claim-queue.ts";
import { type ClusterNetwork, checkCluster, type EksCluster } from "./cluster.ts";
import { ControllerFunction, type ControllerFunctionOptions } from "./controller-function.ts";
import { recordTable } from "./record-table.ts";
import { limitResources } from "./resource-limit.ts";

export interface ReconcilerPlatformProps {
  readonly cluster: EksCluster;
  /** Begins the names of roles and groups in the cluster, as `tidegate manifests --platform`; default "tidegate". */
  readonly name?: string;
  /** One with the same keys, index and TTL: another platform's, or one encrypted by a key of yours. Default: its own. */
  readonly table?: ITable;
  /** What the platform's own table takes at once; default: what DynamoDB gives a new one. */
  readonly warmThroughput?: WarmThroughput;
  /** Of the functions' logs; default: a month. */
  readonly logRetention?: RetentionDays;
}

export interface AddControllerOptions extends ControllerFunctionOptions {
  /** Where its resources are made; default: the platform. Another stack, when one is full. */
  readonly scope?: Construct;
}

/** What the controllers of one cluster need in AWS. */
export class ReconcilerPlatform extends Construct {
  readonly cluster: EksCluster;
  readonly name: string;
  /** Records, timers and leases. */
  readonly table: ITable;
  /** Of the functions, where the cluster has a network. */
  readonly securityGroup?: ISecurityGroup;
  readonly #logRetention: RetentionDays;
  readonly #controllers: ControllerFunction[] = [];

  constructor(scope: Construct, id: string, props: ReconcilerPlatformProps) {
    super(scope, id);
    const { cluster, name = "tidegate", warmThroughput } = props;
    checkCluster(cluster);
    if (props.table && warmThroughput) {
      throw new Error(
        `cannot warm the table of platform ${this.node.path}: expected warmThroughput where the table is made; set it on the platform whose table this is`,
      );
    }
    this.cluster = cluster;
    this.name = name;
    this.table = props.table ?? recordTable(this, warmThroughput);
    this.#logRetention = props.logRetention ?? RetentionDays.ONE_MONTH;
    if (cluster.network) this.securityGroup = functionsSecurityGroup(this, cluster.network);
    new CfnOutput(this, "TableName", { value: this.table.tableName });
    new CfnOutput(this, "ClusterName", { value: cluster.name });
    limitResources(this);
  }

  /** The controllers that were added, in their order. */
  get controllers(): readonly ControllerFunction[] {
    return this.#controllers;
  }

  /**
   * Adds queue and function of a controller. Fails when the definition contradicts itself or what is
   * there already, and when its function cannot be bundled.
   */
  addController(controller: Controller, options: AddControllerOptions = {}): ControllerFunction {
    const { name } = controller;
    const { scope = this, ...rest } = options;
    claimQueue(scope, queueNames(this.cluster.name, name).queue);
    const id = scope === this ? name : `${this.node.id}-${name}`;
    const made = new ControllerFunction(scope, id, {
      ...rest,
      controller,
      cluster: this.cluster,
      table: this.table,
      ...(this.securityGroup && { securityGroup: this.securityGroup }),
      logRetention: this.#logRetention,
      kubernetesGroups: [`${this.name}:function:${name}`, `${this.name}:functions`],
    });
    limitResources(made);
    this.#controllers.push(made);
    return made;
  }
}

const HTTPS = Port.tcp(443);

/** Functions reach the cluster and AWS, and nobody reaches them. */
function functionsSecurityGroup(scope: Construct, network: ClusterNetwork): SecurityGroup {
  const { vpc, clusterSecurityGroup } = network;
  const group = new SecurityGroup(scope, "Functions", {
    vpc,
    description: "Functions of controllers",
    allowAllOutbound: false,
  });
  group.addEgressRule(Peer.anyIpv4(), HTTPS, "The API server, and AWS");
  // In this stack, whatever stack the cluster's group is of.
  new CfnSecurityGroupIngress(scope, "FunctionsToCluster", {
    groupId: clusterSecurityGroup.securityGroupId,
    sourceSecurityGroupId: group.securityGroupId,
    ipProtocol: "tcp",
    fromPort: 443,
    toPort: 443,
    description: "Functions of controllers",
  });
  return group;
}
