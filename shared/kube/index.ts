// The lean parts. `kubeconfig-access.ts` (client-node) and `eks-access.ts` (a signer of the AWS SDK)
// are imported by file, by those who need them.
export * from "./create-kube-client.ts";
export * from "./file-access.ts";
export * from "./in-cluster-access.ts";
export * from "./kube-client.ts";
export * from "./kube-error.ts";
export * from "./paths.ts";
export { stripped } from "./strip.ts";
export * from "./transport.ts";
export * from "./wire.ts";
