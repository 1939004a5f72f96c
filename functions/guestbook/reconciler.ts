import { ConfigMap, Deployment, Pod, type Reconciler, type Result, readyCondition } from "tidegate";
import { deploymentFor, podLabelsOf } from "./children.ts";
import type { guestbookController } from "./controller.ts";
import type { Guestbook } from "./resource.ts";

/** Serves a guestbook: one pod is active, the others stand by. */
export const guestbookReconciler: Reconciler<typeof guestbookController> = {
  async reconcile(guestbook, { apply, client }): Promise<Result<Guestbook>> {
    const { size, configMapName } = guestbook.spec;
    const settings = await client.get(ConfigMap, configMapName);
    if (settings === undefined) return { status: { conditions: [noSettings(configMapName)] } };
    const deployment = await apply(Deployment, deploymentFor(guestbook, settings));
    const pods = await client.list(Pod, { labels: podLabelsOf(guestbook) });
    const [active, ...standby] = pods
      .filter(isReady)
      .map(({ metadata }) => metadata.name)
      .sort();
    const available = deployment.status?.availableReplicas ?? 0;
    const ready = active !== undefined && available >= size;
    const message = `${available} of ${size} pods are available`;
    return { status: { active, standby, conditions: [readyCondition(ready, { message })] } };
  },
};

/** Its creation wakes the guestbook. */
function noSettings(name: string) {
  const message = `spec.configMapName: there is no ConfigMap ${name}`;
  return readyCondition(false, { reason: "NoConfigMap", message });
}

function isReady({ metadata, status }: Pod): boolean {
  const ready = status?.conditions?.some((each) => each.type === "Ready" && each.status === "True");
  return ready === true && metadata.deletionTimestamp === undefined;
}
