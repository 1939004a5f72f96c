import { CfnParameter, type Stack } from "aws-cdk-lib";
import { SecurityGroup, Subnet, Vpc } from "aws-cdk-lib/aws-ec2";
import { Construct } from "constructs";
import type { ClusterNetwork, EksCluster } from "./cluster.ts";

/** A cluster as it stands in `cdk.json`, or after `-c`. */
interface ClusterEntry {
  readonly name: string;
  readonly endpoint?: string;
  readonly certificateAuthorityData?: string;
  /** For a private endpoint. */
  readonly vpc?: NetworkEntry;
}

interface NetworkEntry {
  readonly vpcId: string;
  readonly subnetIds: readonly string[];
  readonly clusterSecurityGroupId: string;
}

const CONTEXT = "tidegate:clusters";

/**
 * The clusters that the context names under "tidegate:clusters", as objects of an array. An endpoint or
 * CA that is left out becomes a parameter of the stack, to be given when it is deployed. Fails, with
 * what to write, when there is no such context.
 */
export function clustersInContext(stack: Stack): readonly EksCluster[] {
  const entries = entriesOf(stack.node.tryGetContext(CONTEXT));
  return entries.map((entry) => clusterOf(stack, entry));
}

function entriesOf(value: unknown): readonly ClusterEntry[] {
  // What follows -c is a text.
  const entries: unknown = typeof value === "string" ? parsed(value) : value;
  if (Array.isArray(entries) && entries.length > 0 && entries.every(isEntry)) return entries;
  throw new Error(
    `cannot tell the clusters: expected "${CONTEXT}" in the context of cdk.json to be [{ "name": ... }, ...], ` +
      `with "endpoint" and "certificateAuthorityData", and "vpc" with "vpcId", "subnetIds" and "clusterSecurityGroupId" for a private endpoint, ` +
      `got ${JSON.stringify(value)}; aws eks describe-cluster tells them`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Told by the caller.
  }
}

function isEntry(value: unknown): value is ClusterEntry {
  if (value === null || typeof value !== "object") return false;
  const { name, endpoint, certificateAuthorityData, vpc, ...others } =
    value as Fields<ClusterEntry>;
  const texts = [endpoint, certificateAuthorityData].every(
    (each) => each === undefined || typeof each === "string",
  );
  const none = Object.keys(others).length === 0;
  return typeof name === "string" && texts && none && (vpc === undefined || isNetwork(vpc));
}

function isNetwork(value: unknown): value is NetworkEntry {
  if (value === null || typeof value !== "object") return false;
  const { vpcId, subnetIds, clusterSecurityGroupId } = value as Fields<NetworkEntry>;
  return (
    typeof vpcId === "string" &&
    typeof clusterSecurityGroupId === "string" &&
    Array.isArray(subnetIds) &&
    subnetIds.length > 0
  );
}

type Fields<T> = { readonly [K in keyof T]?: unknown };

function clusterOf(stack: Stack, entry: ClusterEntry): EksCluster {
  const { name, vpc } = entry;
  const asked = (id: string, query: string) =>
    new CfnParameter(stack, `${name}${id}`, {
      description: `cluster.${query} of: aws eks describe-cluster --name ${name}`,
    }).valueAsString;
  return {
    name,
    endpoint: entry.endpoint ?? asked("Endpoint", "endpoint"),
    certificateAuthorityData:
      entry.certificateAuthorityData ?? asked("CertificateAuthority", "certificateAuthority.data"),
    ...(vpc && { network: networkOf(new Construct(stack, `${name}Network`), vpc) }),
  };
}

function networkOf(scope: Construct, entry: NetworkEntry): ClusterNetwork {
  const { vpcId, subnetIds, clusterSecurityGroupId } = entry;
  const subnets = subnetIds.map((id) => Subnet.fromSubnetId(scope, id, id));
  return {
    // Nobody asks it for its zones, since the subnets are named; the CDK wants at least one.
    vpc: Vpc.fromVpcAttributes(scope, "Vpc", { vpcId, availabilityZones: ["unknown"] }),
    subnets: { subnets },
    clusterSecurityGroup: SecurityGroup.fromSecurityGroupId(
      scope,
      "SecurityGroup",
      clusterSecurityGroupId,
    ),
  };
}
