import { Deployment, Pod, type Reconciler, type Result, readyCondition } from "tidegate";
import { deploymentFor, podLabelsOf } from "./children.ts";
import type { guestbookController } from "./controller.ts";
import type { Guestbook } from "./resource.ts";

/** Serves a guestbook: one pod is active, the others stand by. */
export const guestbookReconciler: Reconciler<typeof guestbookController> = {
  async reconcile(guestbook, { apply, client }): Promise<Result<Guestbook>> {
    const deployment = await apply(Deployment, deploymentFor(guestbook));
    const pods = await client.list(Pod, { labels: podLabelsOf(guestbook) });
    const [active, ...standby] = pods
      .filter(isReady)
      .map(({ metadata }) => metadata.name)
      .sort();
    const available = deployment.status?.availableReplicas ?? 0;
    const ready = active !== undefined && available >= guestbook.spec.size;
    const message = `${available} of ${guestbook.spec.size} pods are available`;
    return { status: { active, standby, conditions: [readyCondition(ready, { message })] } };
  },
};

function isReady({ metadata, status }: Pod): boolean {
  const ready = status?.conditions?.some((each) => each.type === "Ready" && each.status === "True");
  return ready === true && metadata.deletionTimestamp === undefined;
}
