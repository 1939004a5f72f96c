import { createHash } from "node:crypto";
import { Deployment, ReplicaSet } from "../../shared/api/kinds.ts";
import { type Key, keyOf } from "../../shared/api/object.ts";
import { canonicalJson } from "../../shared/api/predicate.ts";
import { timeText } from "./metadata-rules.ts";
import { conditionOf, MANAGER, type WorkloadContext, writeStatus } from "./workload-context.ts";
import { ownerReference } from "./workload-pods.ts";

const HASH_LABEL = "pod-template-hash";
const REVISION = "deployment.kubernetes.io/revision";

/** Gives a Deployment a ReplicaSet of its template, takes the others down to 0, and tells its status. */
export async function reconcileDeployment(context: WorkloadContext, key: Key): Promise<void> {
  const deployment = context.deployments.get(key);
  if (!deployment || deployment.metadata.deletionTimestamp !== undefined) return;
  const sets = context.replicaSets.ownedBy(deployment);
  const hash = hashOf(deployment);
  const current = sets.find(({ metadata }) => metadata.labels?.[HASH_LABEL] === hash);
  const replicas = deployment.spec?.replicas ?? 1;
  if (!current) await createSet(context, deployment, hash, sets.length + 1);
  else await scale(context, current, replicas);
  // The old ones go once the new one serves, so that there always is one.
  const serves = (current?.status?.availableReplicas ?? 0) >= replicas;
  const old = sets.filter((set) => set !== current);
  if (serves) for (const set of old) await scale(context, set, 0);
  await tellStatus(context, deployment, { current, sets });
}

function hashOf({ spec }: Deployment): string {
  return createHash("sha256").update(canonicalJson(spec?.template)).digest("hex").slice(0, 10);
}

async function createSet(
  { client }: WorkloadContext,
  deployment: Deployment,
  hash: string,
  revision: number,
): Promise<void> {
  const { metadata, spec } = deployment;
  const labels = { ...spec?.template.metadata?.labels, [HASH_LABEL]: hash };
  const selector = {
    ...spec?.selector,
    matchLabels: { ...spec?.selector.matchLabels, [HASH_LABEL]: hash },
  };
  const template = { ...spec?.template, metadata: { ...spec?.template.metadata, labels } };
  const set = {
    metadata: {
      name: `${metadata.name}-${hash}`.slice(-253),
      labels,
      annotations: { [REVISION]: String(revision) },
      ownerReferences: [ownerReference(deployment)],
    },
    spec: { replicas: spec?.replicas ?? 1, selector, template },
  };
  await client.create(ReplicaSet, metadata.namespace ?? "", set, { fieldManager: MANAGER });
  const patch = { metadata: { annotations: { [REVISION]: String(revision) } } };
  await client.patch(
    Deployment,
    keyOf(deployment),
    { type: "merge", patch },
    { fieldManager: MANAGER },
  );
}

async function scale(
  { client }: WorkloadContext,
  set: ReplicaSet,
  replicas: number,
): Promise<void> {
  if (set.spec?.replicas === replicas) return;
  const patch = { spec: { replicas } };
  await client.patch(ReplicaSet, keyOf(set), { type: "merge", patch }, { fieldManager: MANAGER });
}

async function tellStatus(
  context: WorkloadContext,
  deployment: Deployment,
  {
    current,
    sets,
  }: { readonly current: ReplicaSet | undefined; readonly sets: readonly ReplicaSet[] },
): Promise<void> {
  const sum = (of: (set: ReplicaSet) => number | undefined) =>
    sets.reduce((total, set) => total + (of(set) ?? 0), 0);
  const wanted = deployment.spec?.replicas ?? 1;
  const available = sum(({ status }) => status?.availableReplicas);
  const updated = current?.status?.replicas ?? 0;
  const enough = available >= wanted;
  const time = timeText(context.clock.nowMs());
  const before = deployment.status?.conditions;
  const condition = (type: string, yes: boolean, [good, bad]: readonly [string, string]) =>
    conditionOf(before, { type, status: yes ? "True" : "False", reason: yes ? good : bad, time });
  await writeStatus(context, Deployment, deployment, {
    observedGeneration: deployment.metadata.generation,
    replicas: sum(({ status }) => status?.replicas),
    updatedReplicas: updated,
    readyReplicas: sum(({ status }) => status?.readyReplicas),
    availableReplicas: available,
    unavailableReplicas: enough ? null : wanted - available,
    conditions: [
      condition("Available", enough, ["MinimumReplicasAvailable", "MinimumReplicasUnavailable"]),
      condition("Progressing", true, ["NewReplicaSetAvailable", ""]),
    ],
  });
}
