import type { Command } from "commander";
import { createKubeClient } from "../shared/kube/create-kube-client.ts";
import type { KubeClient } from "../shared/kube/kube-client.ts";
import { kubeconfigAccess } from "../shared/kube/kubeconfig-access.ts";
import { createTransport } from "../shared/kube/transport.ts";
import type { Transport } from "../shared/kube/wire.ts";
import type { CommandContext } from "./command-context.ts";
import { kubeconfigFile } from "./kubeconfig-file.ts";
import { commandLog } from "./operate-place.ts";

/** Which cluster, as it was written. */
export interface ClusterValues {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** A connection to the cluster of a kubeconfig. */
export interface CommandCluster {
  /** For people: the context, and where its API server is. */
  readonly title: string;
  readonly context: string;
  readonly server: string;
  readonly client: KubeClient;
  readonly transport: Transport;
}

/** The options by which commands find a cluster, as kubectl does. */
export function clusterOptions(command: Command): Command {
  return command
    .option(
      "--kubeconfig <FILE>",
      "access to the cluster (default: as kubectl's: KUBECONFIG, ~/.kube/config)",
    )
    .option("--context <NAME>", "a context of that file (default: its current one)");
}

/** Runs a command's work on the cluster, and closes the connection, however that ends. */
export async function onCluster<T>(
  values: ClusterValues,
  context: CommandContext,
  work: (cluster: CommandCluster) => Promise<T>,
): Promise<T> {
  const { clock } = context;
  const file = kubeconfigFile(values, context);
  const access = await kubeconfigAccess({ file, context: values.context, clock });
  const transport = createTransport(access, { clock, log: commandLog(context) });
  const { server, context: name } = access;
  try {
    const client = createKubeClient(transport);
    return await work({ title: `${name} (${server})`, context: name, server, client, transport });
  } finally {
    transport.close();
  }
}
