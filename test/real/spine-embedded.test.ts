import { join } from "node:path";
import { spine } from "../contract/spine.ts";
import { kubeBinaries } from "./kube-binaries.ts";

spine(async (dataDir) => {
  const { env } = process;
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  const { kubectl } = await kubeBinaries({ env, progress });
  return {
    kubectl: { kubectlPath: kubectl, kubeconfigPath: join(dataDir, "kubeconfig") },
    args: [],
    stop: async () => {},
  };
});
