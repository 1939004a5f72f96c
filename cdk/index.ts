export type { ClusterNetwork, EksCluster } from "./cluster.ts";
export { clustersInContext } from "./clusters-in-context.ts";
export { ControllerFunction, type ControllerFunctionOptions } from "./controller-function.ts";
export { type FoundController, readControllers } from "./read-controllers.ts";
export {
  type AddControllerOptions,
  ReconcilerPlatform,
  type ReconcilerPlatformProps,
} from "./reconciler-platform.ts";
