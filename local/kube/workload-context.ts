import type { Deployment, Job, Pod, ReplicaSet, StatefulSet } from "../../shared/api/kinds.ts";
import type { Logger } from "../../shared/api/log.ts";
import type { Key, Kind, KubernetesObject } from "../../shared/api/object.ts";
import { keyOf } from "../../shared/api/object.ts";
import type { Clock } from "../../shared/clock.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import type { WorkloadCache } from "./workload-cache.ts";

/** What the controllers of workloads share. */
export interface WorkloadContext {
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
  const same = Object.entries(status).every(
    ([field, value]) => JSON.stringify(live[field]) === JSON.stringify(value),
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

/** A condition that keeps its time while its status stays. */
export function conditionOf(
  before:
    | readonly {
        readonly type?: string;
        readonly status?: string;
        readonly lastTransitionTime?: string;
      }[]
    | undefined,
  {
    type,
    status,
    reason,
    time,
  }: { type: string; status: "True" | "False"; reason: string; time: string },
): object {
  const was = before?.find((each) => each.type === type);
  const since = was?.status === status ? (was.lastTransitionTime ?? time) : time;
  return { type, status, reason, lastTransitionTime: since, lastUpdateTime: since };
}
