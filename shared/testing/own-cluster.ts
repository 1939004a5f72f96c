import type { Logger } from "../api/log.ts";
import { kubeconfigAccess } from "../kube/kubeconfig-access.ts";
import { createTransport } from "../kube/transport.ts";
import { CreatedObjects } from "./created-objects.ts";
import { realClock } from "./test-clock.ts";
import type { TestCluster } from "./test-cluster.ts";

/** A cluster that is there already: the one that a kubeconfig names. */
export async function connectCluster(file: string, log: Logger): Promise<TestCluster> {
  const access = await kubeconfigAccess({ file });
  const direct = createTransport(access, { clock: realClock, log });
  const created = new CreatedObjects();
  return {
    transport: created.over(direct),
    ours: false,
    empty: () => created.remove(direct, realClock),
    stop: async () => direct.close(),
  };
}
