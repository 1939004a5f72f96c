import {
  type Kube,
  type KubeClusterOptions,
  startKubeCluster,
} from "../../local/kube-apiserver/start-kube-cluster.ts";
import { systemClock } from "../../shared/clock.ts";
import { type DeploymentView, runDeploymentController } from "./deployment-controller.ts";
import { kubeBinaries } from "./kube-binaries.ts";

export type { Kube } from "../../local/kube-apiserver/start-kube-cluster.ts";

export interface KubeOptions extends Omit<KubeClusterOptions, "programs" | "controllers"> {
  /** Kubernetes version without "v". Default KUBERNETES_VERSION. */
  readonly version?: string | undefined;
  /** Runs our small Deployment controller. Default true. */
  readonly deployments?: boolean | undefined;
  /** How many replicas of a Deployment become available. Default: all. */
  readonly availableReplicas?: ((deployment: DeploymentView) => number) | undefined;
  /** Default process.env. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Told of long waits, in lines. Default: nobody. */
  readonly progress?: ((line: string) => void) | undefined;
}

/**
 * Starts etcd and kube-apiserver with a small Deployment controller, as `startKubeCluster` does. That
 * takes minutes more if they have to be built first.
 */
export async function startKube(options: KubeOptions = {}): Promise<Kube> {
  const { env = process.env, progress = () => {}, version, deployments = true, ...rest } = options;
  const programs = await kubeBinaries({ version, env, progress, signal: rest.signal });
  const { availableReplicas } = rest;
  return await startKubeCluster({
    ...rest,
    programs,
    controllers: deployments
      ? (connection, signal) =>
          runDeploymentController({ connection, clock: systemClock, signal, availableReplicas })
      : undefined,
  });
}
