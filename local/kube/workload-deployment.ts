import { createHash } from "node:crypto";
import { Deployment, ReplicaSet } from "../../shared/api/kinds.ts";
import { type Key, keyOf } from "../../shared/api/object.ts";
import { canonicalJson } from "../../shared/api/predicate.ts";
import { MANAGER, remove, type WorkloadContext } from "./workload-context.ts";
import { tellDeployment } from "./workload-deployment-status.ts";
import { tellEvent } from "./workload-events.ts";
import { ownerReference } from "./workload-pods.ts";
import { newReplicas, rolloutLimits, shrunk } from "./workload-rollout.ts";

const HASH_LABEL = "pod-template-hash";
const REVISION = "deployment.kubernetes.io/revision";
const HISTORY = "deployment.kubernetes.io/revision-history";

/**
 * Gives a Deployment a ReplicaSet of its template, takes the others down as the new one serves, and
 * tells its status.
 */
export async function reconcileDeployment(context: WorkloadContext, key: Key): Promise<void> {
  const deployment = context.deployments.get(key);
  if (!deployment || deployment.metadata.deletionTimestamp !== undefined) return;
  const sets = context.replicaSets
    .ownedBy(deployment)
    .toSorted((one, other) => revisionOf(one) - revisionOf(other));
  const hash = hashOf(deployment);
  const current = sets.find(({ metadata }) => metadata.labels?.[HASH_LABEL] === hash);
  const old = sets.filter((set) => set !== current);
  if (deployment.spec?.paused !== true) await rollOut(context, deployment, { hash, current, old });
  else if (current) await scale(context, deployment, current, deployment.spec.replicas ?? 1);
  await tellDeployment(context, deployment, { current, sets });
}

interface Sets {
  readonly hash: string;
  readonly current: ReplicaSet | undefined;
  /** The oldest first. */
  readonly old: readonly ReplicaSet[];
}

async function rollOut(
  context: WorkloadContext,
  deployment: Deployment,
  { hash, current, old }: Sets,
): Promise<void> {
  const revision = Math.max(0, ...old.map(revisionOf)) + 1;
  const replicas = newReplicas(deployment, current, old);
  if (current) {
    await revise(context, current, revision);
    await scale(context, deployment, current, replicas);
  } else await createSet(context, deployment, { hash, revision, replicas });
  await annotate(context, deployment, Math.max(revision, current ? revisionOf(current) : 0));
  for (const [set, count] of shrunk(deployment, current, old)) {
    await scale(context, deployment, set, count);
  }
  const unused = old.filter(({ spec, status }) => !spec?.replicas && !status?.replicas);
  const surplus = unused.length - (deployment.spec?.revisionHistoryLimit ?? 10);
  for (const set of unused.slice(0, Math.max(0, surplus))) await remove(context, ReplicaSet, set);
}

function hashOf({ spec }: Deployment): string {
  return createHash("sha256").update(canonicalJson(spec?.template)).digest("hex").slice(0, 10);
}

function revisionOf({ metadata }: ReplicaSet): number {
  return Number(metadata.annotations?.[REVISION] ?? 0);
}

async function createSet(
  context: WorkloadContext,
  deployment: Deployment,
  { hash, revision, replicas }: { hash: string; revision: number; replicas: number },
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
      annotations: { ...sizes(deployment), [REVISION]: String(revision) },
      ownerReferences: [ownerReference(deployment)],
    },
    spec: { replicas, selector, template },
  };
  await context.client.create(ReplicaSet, metadata.namespace ?? "", set, { fieldManager: MANAGER });
  if (replicas > 0)
    await tellScaling(context, deployment, { name: set.metadata.name, from: 0, to: replicas });
}

/** A ReplicaSet that serves again is the newest one. */
async function revise(
  { client }: WorkloadContext,
  set: ReplicaSet,
  revision: number,
): Promise<void> {
  const before = revisionOf(set);
  if (before >= revision) return;
  const { [HISTORY]: history, ...rest } = set.metadata.annotations ?? {};
  const past = history ? `${history},${before}` : String(before);
  const annotations = { ...rest, [REVISION]: String(revision), [HISTORY]: past };
  const patch = { metadata: { annotations } };
  await client.patch(ReplicaSet, keyOf(set), { type: "merge", patch }, { fieldManager: MANAGER });
}

/** By way of the status, so that it is no new generation. */
async function annotate(
  { client }: WorkloadContext,
  deployment: Deployment,
  revision: number,
): Promise<void> {
  const text = String(revision);
  if (deployment.metadata.annotations?.[REVISION] === text) return;
  const patch = { metadata: { annotations: { [REVISION]: text } } };
  const options = { fieldManager: MANAGER, subresource: "status" };
  await client.patch(Deployment, keyOf(deployment), { type: "merge", patch }, options);
}

async function scale(
  context: WorkloadContext,
  deployment: Deployment,
  set: ReplicaSet,
  replicas: number,
): Promise<void> {
  const from = set.spec?.replicas ?? 1;
  if (from === replicas) return;
  const { name, resourceVersion } = set.metadata;
  // Of the version that was counted: what has changed meanwhile is counted anew.
  const metadata = { resourceVersion, annotations: sizes(deployment) };
  const patch = { metadata, spec: { replicas } };
  await context.client.patch(
    ReplicaSet,
    keyOf(set),
    { type: "merge", patch },
    { fieldManager: MANAGER },
  );
  await tellScaling(context, deployment, { name, from, to: replicas });
}

function sizes(deployment: Deployment): Readonly<Record<string, string>> {
  const replicas = deployment.spec?.replicas ?? 1;
  return {
    "deployment.kubernetes.io/desired-replicas": String(replicas),
    "deployment.kubernetes.io/max-replicas": String(replicas + rolloutLimits(deployment).surge),
  };
}

async function tellScaling(
  context: WorkloadContext,
  deployment: Deployment,
  { name, from, to }: { name: string; from: number; to: number },
): Promise<void> {
  await tellEvent(context, deployment, {
    reason: "ScalingReplicaSet",
    message: `Scaled ${to > from ? "up" : "down"} replica set ${name} from ${from} to ${to}`,
    component: "deployment-controller",
  });
}
