import { type EksTokenOptions, eksTokens } from "./eks-token.ts";
import type { KubeAccess } from "./wire.ts";

export interface EksAccessOptions extends EksTokenOptions {
  /** The cluster's endpoint. */
  readonly server: string;
  /** `certificateAuthority.data` of the cluster: PEM, in base64. */
  readonly certificateAuthorityData: string;
}

/**
 * The access of an AWS identity to an EKS cluster. Asks nothing of AWS: endpoint and CA are given,
 * and tokens are signed here. The identity needs an access entry of the cluster.
 */
export function eksAccess(options: EksAccessOptions): KubeAccess {
  const { server, certificateAuthorityData, clusterName } = options;
  const ca = Buffer.from(certificateAuthorityData, "base64").toString("utf8");
  if (!ca.includes("BEGIN CERTIFICATE")) {
    throw new Error(
      `cannot use the CA of cluster ${clusterName}: expected PEM in base64, got something else; give certificateAuthority.data of the cluster`,
    );
  }
  const token = eksTokens(options);
  return {
    server,
    ca: async () => ca,
    authorization: async (asked) => `Bearer ${await token(asked)}`,
  };
}
