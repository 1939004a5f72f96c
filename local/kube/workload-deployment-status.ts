import { Deployment, type ReplicaSet } from "../../shared/api/kinds.ts";
import { timeText } from "./metadata-rules.ts";
import { conditionOf, type WorkloadContext, writeStatus } from "./workload-context.ts";
import { rolloutLimits } from "./workload-rollout.ts";

interface Sets {
  /** That of the newest template. */
  readonly current: ReplicaSet | undefined;
  readonly sets: readonly ReplicaSet[];
}

/** Writes the status of a Deployment as its controller in Kubernetes words it. */
export async function tellDeployment(
  context: WorkloadContext,
  deployment: Deployment,
  { current, sets }: Sets,
): Promise<void> {
  const sum = (of: (set: ReplicaSet) => number | undefined) =>
    sets.reduce((total, set) => total + (of(set) ?? 0), 0);
  const wanted = deployment.spec?.replicas ?? 1;
  const replicas = sum(({ status }) => status?.replicas);
  const available = sum(({ status }) => status?.availableReplicas);
  const updated = current?.status?.replicas ?? 0;
  const complete =
    current !== undefined && updated === wanted && replicas === wanted && available === wanted;
  await writeStatus(context, Deployment, deployment, {
    observedGeneration: deployment.metadata.generation,
    // A count of none is not told.
    replicas: replicas || null,
    updatedReplicas: updated || null,
    readyReplicas: sum(({ status }) => status?.readyReplicas) || null,
    availableReplicas: available || null,
    unavailableReplicas: Math.max(0, sum(({ spec }) => spec?.replicas) - available) || null,
    terminatingReplicas: 0,
    conditions: conditionsOf(context, deployment, {
      current,
      available,
      complete,
      scaled: replicas === updated,
    }),
  });
}

interface Progress {
  readonly current: ReplicaSet | undefined;
  readonly available: number;
  readonly complete: boolean;
  /** No pod is of an older template. */
  readonly scaled: boolean;
}

function conditionsOf(
  { clock }: WorkloadContext,
  deployment: Deployment,
  { current, available, complete, scaled }: Progress,
): readonly object[] {
  const time = timeText(clock.nowMs());
  const before = deployment.status?.conditions ?? [];
  const least = (deployment.spec?.replicas ?? 1) - rolloutLimits(deployment).unavailable;
  const enough = available >= least;
  const serves = conditionOf(before, {
    type: "Available",
    status: enough ? "True" : "False",
    reason: enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
    message: `Deployment ${enough ? "has" : "does not have"} minimum availability.`,
    time,
  });
  const known = before.find(({ type }) => type === "Progressing");
  // A rollout that is complete stays so while the Deployment is but scaled.
  const stays = scaled && !deployment.spec?.paused && known?.reason === "NewReplicaSetAvailable";
  const progresses = stays
    ? known
    : conditionOf(before, {
        type: "Progressing",
        ...progressOf(deployment, current, complete),
        time,
      });
  return [serves, progresses].reduce(placed, before);
}

interface Said {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
}

/** A condition that says the same stays in its place; one that changed goes to the end. */
function placed(conditions: readonly Said[], now: Said): readonly Said[] {
  const was = conditions.find(({ type }) => type === now.type);
  if (was?.status === now.status && was?.reason === now.reason) {
    return conditions.map((each) => (each === was ? now : each));
  }
  return [...conditions.filter((each) => each !== was), now];
}

function progressOf({ spec }: Deployment, current: ReplicaSet | undefined, complete: boolean) {
  if (spec?.paused) {
    return {
      status: "Unknown",
      reason: "DeploymentPaused",
      message: "Deployment is paused",
    } as const;
  }
  const name = JSON.stringify(current?.metadata.name ?? "");
  const told = complete
    ? {
        reason: "NewReplicaSetAvailable",
        message: `ReplicaSet ${name} has successfully progressed.`,
      }
    : { reason: "ReplicaSetUpdated", message: `ReplicaSet ${name} is progressing.` };
  return { status: "True", ...told } as const;
}
