import { join } from "node:path";
import type { Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";
import type { KubeAccess } from "../shared/kube/wire.ts";
import { DevDefinitions } from "./dev-definitions.ts";
import { startEmbeddedCluster } from "./kube/embedded-cluster.ts";
import type { ResourceFile } from "./read-definitions.ts";

export interface DevCluster {
  readonly access: KubeAccess;
  readonly kubeconfigFile: string;
  /** Installs the definitions that were written or edited since. */
  readonly updateDefinitions: () => Promise<void>;
  /** What was found of them by then. */
  readonly definitions: () => readonly ResourceFile[];
  readonly close: () => Promise<void>;
}

/**
 * Starts the embedded cluster with its state below `dataDir`, writes a kubeconfig beside it, and
 * installs the CustomResourceDefinitions of the function folders (`crd()` of each `resource.ts`).
 */
export async function startDevCluster(
  {
    dataDir,
    port,
    functionsDir,
  }: { readonly dataDir: string; readonly port: number; readonly functionsDir: string },
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<DevCluster> {
  const kubeconfigFile = join(dataDir, "kubeconfig");
  const cluster = await startEmbeddedCluster({
    clock,
    random: Math.random,
    log,
    dir: join(dataDir, "cluster"),
    kubeconfigFile,
    port,
  });
  const { transport } = cluster.api;
  const definitions = new DevDefinitions({ functionsDir, transport, log });
  try {
    await definitions.update();
  } catch (error) {
    await cluster.close();
    throw error;
  }
  const { url, ca, token } = cluster;
  const access: KubeAccess = {
    server: url,
    ca: async () => ca,
    authorization: async () => `Bearer ${token}`,
  };
  return {
    access,
    kubeconfigFile,
    updateDefinitions: () => definitions.update(),
    definitions: () => definitions.files,
    close: cluster.close,
  };
}
