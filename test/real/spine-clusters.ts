import { join } from "node:path";
import { crd } from "../../functions/website/resource.ts";
import type { SpineCluster } from "../contract/spine.ts";
import type { AwsServer } from "./aws-server.ts";
import { startKube } from "./kube-apiserver.ts";
import { kubeBinaries } from "./kube-binaries.ts";
import { kubectl, kubectlApply } from "./kubectl.ts";

/** The cluster that is part of `npm start`. */
export async function embeddedCluster(dataDir: string): Promise<SpineCluster> {
  const { kubectl: kubectlPath } = await kubeBinaries({ env: process.env, progress });
  return {
    kubectl: { kubectlPath, kubeconfigPath: join(dataDir, "kubeconfig") },
    args: [],
    stop: async () => {},
  };
}

/** A kube-apiserver that knows Websites. */
export async function kubeCluster(): Promise<SpineCluster> {
  const kube = await startKube({ progress });
  await kubectlApply(kube, crd());
  await kubectl(kube, "wait", "crd/websites.web.example.com", "--for=condition=Established");
  const { kill, restart, stop } = kube;
  return {
    kubectl: kube,
    args: ["--kubeconfig", kube.kubeconfigPath],
    outage: { kill, restart },
    stop,
  };
}

/** The cluster with queue and table of another server in place of ours. */
export async function withAws(
  cluster: SpineCluster,
  start: () => Promise<AwsServer>,
): Promise<SpineCluster> {
  const server = await start().catch(async (error: unknown) => {
    await cluster.stop();
    throw error;
  });
  const stop = async () => {
    await cluster.stop();
    await server.stop();
  };
  return { ...cluster, awsEndpoint: server.url, stop };
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}
