export * from "./api/index.ts";
export { ConflictError, KubeError } from "./kube/kube-error.ts";
export * from "./worker/index.ts";
