import { join } from "node:path";
import type { CommandContext } from "../../cli/command-context.ts";
import { startEmbeddedCluster } from "../../local/kube/embedded-cluster.ts";
import type { Key, Kind, KubernetesObject } from "../../shared/api/object.ts";
import { systemClock } from "../../shared/clock.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import type { Transport } from "../../shared/kube/wire.ts";
import { recordedLog } from "../support/recorded-log.ts";
import { type CliResult, runCli } from "./run-cli.ts";
import { type ScaffoldDir, scaffoldDir } from "./scaffold-dir.ts";

/** A project folder, and a cluster that its commands find by KUBECONFIG. */
export interface ClusterStage {
  readonly project: ScaffoldDir;
  readonly client: KubeClient;
  readonly transport: Transport;
  run(args: readonly string[], context?: Partial<CommandContext>): Promise<CliResult>;
  close(): Promise<void>;
}

export async function clusterStage(): Promise<ClusterStage> {
  const project = await scaffoldDir();
  const kubeconfigFile = join(project.dir, "kubeconfig");
  const cluster = await startEmbeddedCluster({
    clock: systemClock,
    random: Math.random,
    log: recordedLog().log,
    kubeconfigFile,
  });
  const { transport } = cluster.api;
  return {
    project,
    client: createKubeClient(transport),
    transport,
    run: (args, context) =>
      runCli(args, { cwd: project.dir, env: { KUBECONFIG: kubeconfigFile }, ...context }),
    close: async () => {
      await cluster.close();
      await project.remove();
    },
  };
}

export interface Cat extends KubernetesObject {
  readonly spec: { readonly host?: string };
}
/** The kind that `definition({ kind: "Cat" })` defines. */
export const Cat: Kind<Cat> = {
  apiVersion: "example.com/v1",
  kind: "Cat",
  plural: "cats",
  scope: "Namespaced",
};

export const cat = (name: string): Key => ({ namespace: "default", name });
