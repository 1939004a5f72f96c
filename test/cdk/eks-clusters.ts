/** A cluster with a public endpoint. */
export const CLUSTER = {
  name: "prod",
  endpoint: "https://ABCDEF0123456789.gr7.eu-central-1.eks.amazonaws.com",
  certificateAuthorityData: Buffer.from("-----BEGIN CERTIFICATE-----\n").toString("base64"),
};

/** One with a private endpoint, as it stands in the context. */
export const PRIVATE_CLUSTER = {
  ...CLUSTER,
  name: "private",
  vpc: {
    vpcId: "vpc-0a1b2c3d",
    subnetIds: ["subnet-0a1b2c3d", "subnet-0a1b2c3e"],
    clusterSecurityGroupId: "sg-0a1b2c3d",
  },
};
