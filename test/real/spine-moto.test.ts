import { join } from "node:path";
import { spine } from "../contract/spine.ts";
import { kubeBinaries } from "./kube-binaries.ts";
import { startMoto } from "./moto.ts";

/**
 * Moto's long poll does not see that a group becomes free: a change that arrives during a run is
 * taken up when the poll ends, 20 s later. It also hands messages to a poll whose client was killed;
 * their group is then locked for the visibility timeout, six times the function's 30 s.
 */
const WAIT_SECONDS = 240;

spine(
  async (dataDir) => {
    const { env } = process;
    const progress = (line: string) => process.stderr.write(`${line}\n`);
    const { kubectl } = await kubeBinaries({ env, progress });
    const moto = await startMoto();
    return {
      kubectl: { kubectlPath: kubectl, kubeconfigPath: join(dataDir, "kubeconfig") },
      args: [],
      awsEndpoint: moto.url,
      stop: moto.stop,
    };
  },
  { waitSeconds: WAIT_SECONDS, fresh: false },
);
