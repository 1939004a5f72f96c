import { Token } from "aws-cdk-lib";
import type { ISecurityGroup, IVpc, SubnetSelection } from "aws-cdk-lib/aws-ec2";

/** An EKS cluster, as `aws eks describe-cluster` tells it. Its authentication mode must know access entries. */
export interface EksCluster {
  /** Part of the names of queues, so it must be known when the template is made. */
  readonly name: string;
  /** `endpoint`: an URL with "https://". */
  readonly endpoint: string;
  /** `certificateAuthority.data`: PEM, in base64. */
  readonly certificateAuthorityData: string;
  /** From where the endpoint is reached, if it is private; default: from outside of any VPC, which costs nothing. */
  readonly network?: ClusterNetwork;
}

/** A VPC in which functions run. They also need a way from there to SQS, DynamoDB and CloudWatch Logs. */
export interface ClusterNetwork {
  readonly vpc: IVpc;
  /** Default: the private ones. */
  readonly subnets?: SubnetSelection;
  /** `resourcesVpcConfig.clusterSecurityGroupId`: functions are let in on port 443. */
  readonly clusterSecurityGroup: ISecurityGroup;
}

/** Fails with the option, what it expects, and what it got. What is known at deploy only is not looked at. */
export function checkCluster({ name, endpoint, certificateAuthorityData }: EksCluster): void {
  const fail = (option: string, expected: string, got: string): never => {
    throw new Error(
      `cannot deploy to cluster ${Token.isUnresolved(name) ? "" : name}: expected ${option} to be ${expected}, got ${got}`,
    );
  };
  // https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateCluster.html
  if (Token.isUnresolved(name) || !/^[0-9A-Za-z][A-Za-z0-9_-]{0,99}$/.test(name)) {
    const got = Token.isUnresolved(name)
      ? "a value known at deploy only; give the cluster a name"
      : `"${name}"`;
    fail("name", 'letters, digits, "-" and "_", at most 100', got);
  }
  if (!Token.isUnresolved(endpoint) && !/^https:\/\/[^/\s]+$/.test(endpoint)) {
    fail(
      "endpoint",
      "https://HOST; take cluster.endpoint of aws eks describe-cluster",
      `"${endpoint}"`,
    );
  }
  if (Token.isUnresolved(certificateAuthorityData)) return;
  if (!Buffer.from(certificateAuthorityData, "base64").includes("BEGIN CERTIFICATE")) {
    const source = "take cluster.certificateAuthority.data of aws eks describe-cluster";
    fail("certificateAuthorityData", `PEM in base64; ${source}`, "something else");
  }
}
