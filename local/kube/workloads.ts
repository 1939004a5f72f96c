import { Deployment, Job, Pod, ReplicaSet, StatefulSet } from "../../shared/api/kinds.ts";
import type { Logger } from "../../shared/api/log.ts";
import { type Key, type Kind, type KubernetesObject, keyOf } from "../../shared/api/object.ts";
import type { Clock } from "../../shared/clock.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import type { Transport } from "../../shared/kube/wire.ts";
import { WorkloadCache } from "./workload-cache.ts";
import { type WorkloadContext, writeStatus } from "./workload-context.ts";
import { reconcileDeployment } from "./workload-deployment.ts";
import { ownerOf } from "./workload-owned.ts";
import { podStatus } from "./workload-pods.ts";
import { WorkloadQueue } from "./workload-queue.ts";
import { reconcileJob, reconcileReplicaSet, reconcileStatefulSet } from "./workload-sets.ts";

export interface WorkloadsOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  /** So many pods a workload gets. Default: 1,000. */
  readonly maxPods?: number;
}

/** Kinds that come to life. */
export const WORKLOADS = [Deployment, ReplicaSet, StatefulSet, Job, Pod] as const;

/** A slip such as 2000000000 replicas would take the whole machine. */
const MAX_PODS = 1_000;

/** A pod takes so long to be ready, and a pod of a Job as long again to have done its work. */
const POD_MS = 100;

/**
 * Brings a cluster without nodes to life: Deployments, ReplicaSets, StatefulSets and Jobs get their
 * pods, and pods say that they run. Works over the API like any other client. Resolves once the
 * signal is aborted.
 */
export async function runWorkloads(options: WorkloadsOptions, signal: AbortSignal): Promise<void> {
  const { clock, log } = options;
  const caches: WorkloadCache<never>[] = [];
  const queues: WorkloadQueue[] = [];
  const cache = <T extends KubernetesObject>(kind: Kind<T>, changed: (object: T) => void) => {
    const made = new WorkloadCache<T>(options, kind, changed);
    caches.push(made as unknown as WorkloadCache<never>);
    return made;
  };
  const queue = (name: string, reconcile: (key: Key) => Promise<void>) => {
    const made = new WorkloadQueue({ name, clock, log, reconcile });
    queues.push(made);
    return made;
  };
  const byKind = new Map<string, WorkloadQueue>();
  const told = (kind: string) => (object: KubernetesObject) => {
    byKind.get(kind)?.add(keyOf(object));
    const owner = ownerOf(object);
    if (owner)
      byKind.get(owner.kind)?.add({ namespace: object.metadata.namespace ?? "", name: owner.name });
  };
  const context: WorkloadContext = {
    maxPods: options.maxPods ?? MAX_PODS,
    client: createKubeClient(options.transport),
    clock,
    log,
    deployments: cache(Deployment, told("Deployment")),
    replicaSets: cache(ReplicaSet, told("ReplicaSet")),
    statefulSets: cache(StatefulSet, told("StatefulSet")),
    jobs: cache(Job, told("Job")),
    pods: cache(Pod, told("Pod")),
  };
  byKind.set(
    "Deployment",
    queue("deployment", (key) => reconcileDeployment(context, key)),
  );
  byKind.set(
    "ReplicaSet",
    queue("replicaset", (key) => reconcileReplicaSet(context, key)),
  );
  byKind.set(
    "StatefulSet",
    queue("statefulset", (key) => reconcileStatefulSet(context, key)),
  );
  byKind.set(
    "Job",
    queue("job", (key) => reconcileJob(context, key)),
  );
  const pods = queue("pod", (key) => reconcilePod(context, key, pods, signal));
  byKind.set("Pod", pods);
  const following = caches.map((each) => each.run(signal));
  await Promise.all(caches.map((each) => each.whenSynced(signal)));
  await Promise.all([...following, ...queues.map((each) => each.run(signal))]);
}

async function reconcilePod(
  context: WorkloadContext,
  key: Key,
  queue: WorkloadQueue,
  signal: AbortSignal,
): Promise<void> {
  const pod = context.pods.get(key);
  if (!pod || pod.metadata.deletionTimestamp !== undefined) return;
  const phase = pod.status?.phase ?? "Pending";
  const ofJob = ownerOf(pod)?.kind === "Job";
  if (phase !== "Pending" && !(phase === "Running" && ofJob)) return;
  const sinceMs = Date.parse(
    phase === "Pending" ? pod.metadata.creationTimestamp : (pod.status?.startTime ?? ""),
  );
  // Times in objects are whole seconds, so that a pod may seem older than it is.
  const seen = seenAt(context, pod, phase);
  const waitMs = Math.max(sinceMs, seen) + POD_MS - context.clock.nowMs();
  if (waitMs > 0) {
    queue.addLater(key, waitMs, signal);
    return;
  }
  const next = phase === "Pending" ? "Running" : "Succeeded";
  const status = podStatus(pod, next, context.clock.nowMs()) as Record<string, unknown>;
  await writeStatus(context, Pod, pod, status);
}

const SEEN = new WeakMap<WorkloadContext, Map<string, number>>();

/** When this phase of the pod was first looked at. */
function seenAt(context: WorkloadContext, { metadata }: Pod, phase: string): number {
  const seen = SEEN.get(context) ?? new Map<string, number>();
  SEEN.set(context, seen);
  const id = `${metadata.uid} ${phase}`;
  const atMs = seen.get(id) ?? context.clock.nowMs();
  seen.set(id, atMs);
  return atMs;
}
