import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { loadAll } from "js-yaml";
import type { Logger } from "../shared/api/log.ts";
import type { Kind, KubernetesObject } from "../shared/api/object.ts";
import type { Clock } from "../shared/clock.ts";
import { createKubeClient } from "../shared/kube/create-kube-client.ts";
import type { KubeAccess, Transport } from "../shared/kube/wire.ts";
import { startEmbeddedCluster } from "./kube/embedded-cluster.ts";

export interface DevCluster {
  readonly access: KubeAccess;
  readonly close: () => Promise<void>;
}

const Definition: Kind = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
};

/**
 * Starts the embedded cluster with its state below `dataDir`, writes a kubeconfig beside it, and
 * installs the CustomResourceDefinitions that stand in the function folders (`crd.yaml`).
 */
export async function startDevCluster(
  {
    dataDir,
    port,
    functionsDir,
  }: { readonly dataDir: string; readonly port: number; readonly functionsDir: string },
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<DevCluster> {
  const cluster = await startEmbeddedCluster({
    clock,
    random: Math.random,
    log,
    dir: join(dataDir, "cluster"),
    kubeconfigFile: kubeconfigIn(dataDir),
    port,
  });
  try {
    for (const file of await definitionFiles(functionsDir)) {
      await install(cluster.api.transport, file);
    }
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
  return { access, close: cluster.close };
}

/** What a newcomer can do next. */
export function nextSteps(dataDir: string): string {
  const kubeconfig = relative(process.cwd(), kubeconfigIn(dataDir)) || kubeconfigIn(dataDir);
  return `
  The cluster is embedded. In another terminal:

    export KUBECONFIG=${kubeconfig}
    kubectl apply -f functions/website/sample.yaml
    kubectl get websites,deployments,pods,services --watch
`;
}

function kubeconfigIn(dataDir: string): string {
  return join(dataDir, "kubeconfig");
}

async function definitionFiles(functionsDir: string): Promise<readonly string[]> {
  const names = existsSync(functionsDir) ? await readdir(functionsDir) : [];
  return names
    .map((name) => join(functionsDir, name, "crd.yaml"))
    .filter((file) => existsSync(file));
}

async function install(transport: Transport, file: string): Promise<void> {
  const client = createKubeClient(transport);
  try {
    for (const each of loadAll(await readFile(file, "utf8"))) {
      const { metadata } = each as KubernetesObject;
      const key = { namespace: "", name: metadata.name };
      await client.apply(Definition, key, each as object, {
        fieldManager: "tidegate",
        force: true,
      });
    }
  } catch (error) {
    throw new Error(`cannot install ${file}`, { cause: error });
  }
}
