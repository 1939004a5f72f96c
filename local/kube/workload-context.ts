import type { Deployment, Job, Pod, ReplicaSet, StatefulSet } from "../../shared/api/kinds.ts";
import type { Logger } from "../../shared/api/log.ts";
import type { Key, Kind, KubernetesObject } from "../../shared/api/object.ts";
import { keyOf } from "../../shared/api/object.ts";
import type { Clock } from "../../shared/clock.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import { sameJson } from "./fields-equal.ts";
import type { WorkloadCache } from "./workload-cache.ts";

/** What the controllers of workloads share. */
export interface WorkloadContext {
  /** So many a workload gets. */
  readonly maxPods: number;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly deployments: WorkloadCache<Deployment>;
  readonly replicaSets: WorkloadCache<ReplicaSet>;
  readonly statefulSets: WorkloadCache<StatefulSet>;
  readonly jobs: WorkloadCache<Job>;
  readonly pods: WorkloadCache<Pod>;
}

export const MANAGER = "kube-controller-manager";

/** Writes a status where it differs from what stands there. */
export async function writeStatus<T extends KubernetesObject & { readonly status?: unknown }>(
  { client }: Pick<WorkloadContext, "client">,
  kind: Kind<T>,
  object: T,
  status: Readonly<Record<string, unknown>>,
): Promise<void> {
  const live = (object.status ?? {}) as Record<string, unknown>;
  const same = Object.entries(status).every(([field, value]) =>
    sameJson(live[field] ?? null, value ?? null),
  );
  if (same) return;
  await client.patch(
    kind,
    keyOf(object),
    { type: "merge", patch: { status } },
    { fieldManager: MANAGER, subresource: "status", fieldValidation: "Ignore" },
  );
}

/** Deletes an object that others may have deleted meanwhile. */
export async function remove(
  { client }: Pick<WorkloadContext, "client">,
  kind: Kind,
  { metadata }: KubernetesObject,
): Promise<void> {
  const key: Key = { namespace: metadata.namespace ?? "", name: metadata.name };
  await client.delete(kind, key, { uid: metadata.uid, propagation: "Background" });
}

/** What a condition is to say. */
export interface WorkloadCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message?: string;
  readonly time: string;
}

interface KeptCondition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly lastUpdateTime?: string;
}

/** A condition that keeps its times while it says the same. */
export function conditionOf(
  before: readonly KeptCondition[] | undefined,
  { type, status, reason, message, time }: WorkloadCondition,
): object {
  const was = before?.find((each) => each.type === type);
  const since = was?.status === status ? (was.lastTransitionTime ?? time) : time;
  const same = was?.status === status && was.reason === reason && was.message === message;
  const updated = same ? (was.lastUpdateTime ?? since) : time;
  return {
    lastTransitionTime: since,
    lastUpdateTime: updated,
    ...(message !== undefined && { message }),
    reason,
    status,
    type,
  };
}
