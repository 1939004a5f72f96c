import { Deployment, Pod, ReplicaSet } from "../../shared/api/kinds.ts";
import type { Key } from "../../shared/api/object.ts";
import { objectText } from "../../shared/platform/object-list.ts";
import type { ClusterWork } from "./cluster-work.ts";
import { type PodFault, podFault, replicaFault } from "./pod-fault.ts";

const LOOK_MS = 2_000;
/** With nodes that are made for it. */
const ROLLOUT_MS = 600_000;
/** A registry that stumbles, or a first start that fails, passes by then. */
const LASTING_MS = 60_000;

/**
 * Waits until all replicas of a Deployment run what it says. Rejects with what its pods say: at once where
 * a fault that time alone does not mend has lasted a minute, else after 10 minutes.
 */
export async function awaitRollout(work: ClusterWork, key: Key): Promise<void> {
  const { client, clock, signal } = work;
  const startMs = clock.monotonicMs();
  let lastingSinceMs: number | undefined;
  for (;;) {
    const found = await client.get(Deployment, key, { signal });
    if (found && rolledOut(found)) return;
    const fault = found && (await faultOf(work, found));
    const nowMs = clock.monotonicMs();
    if (!fault?.lasting) lastingSinceMs = undefined;
    else lastingSinceMs ??= nowMs;
    const lasted = lastingSinceMs !== undefined && nowMs - lastingSinceMs >= LASTING_MS;
    if (lasted || nowMs - startMs >= ROLLOUT_MS) throw failure(key, found, fault);
    await clock.sleep(LOOK_MS, signal);
    if (signal.aborted) throw failure(key, found, fault);
  }
}

/** As `kubectl rollout status` tells it. */
function rolledOut({ metadata, spec, status }: Deployment): boolean {
  const wanted = spec?.replicas ?? 1;
  const { observedGeneration = 0, replicas, updatedReplicas, availableReplicas } = status ?? {};
  const all = [replicas, updatedReplicas, availableReplicas].every((each = 0) => each === wanted);
  return all && observedGeneration >= (metadata.generation ?? 0);
}

async function faultOf(
  { client, signal }: ClusterWork,
  deployment: Deployment,
): Promise<PodFault | undefined> {
  const { namespace = "", uid, annotations } = deployment.metadata;
  const labels = deployment.spec?.selector.matchLabels ?? {};
  const sets = await client.list(ReplicaSet, { namespace, labels, signal });
  const current = sets.find(
    ({ metadata }) =>
      metadata.annotations?.[REVISION] === annotations?.[REVISION] &&
      metadata.ownerReferences?.some((owner) => owner.uid === uid),
  );
  const pods = await client.list(Pod, { namespace, labels, signal });
  const owner = current?.metadata.uid;
  const own = pods.filter(({ metadata }) =>
    metadata.ownerReferences?.some((each) => each.uid === owner),
  );
  return podFault(own) ?? replicaFault(deployment);
}

const REVISION = "deployment.kubernetes.io/revision";

function failure(key: Key, found: Deployment | undefined, fault: PodFault | undefined): Error {
  const { updatedReplicas = 0, availableReplicas = 0 } = found?.status ?? {};
  const wanted = found?.spec?.replicas ?? 0;
  const ready = Math.min(updatedReplicas, availableReplicas);
  const why = fault?.text ?? "its pods say no reason";
  return new Error(
    `cannot roll out ${objectText({ kind: Deployment, key })}: expected ${wanted} replicas to run it, got ${ready}: ${why}`,
  );
}
