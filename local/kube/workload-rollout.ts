import type { Deployment, ReplicaSet } from "../../shared/api/kinds.ts";

/** How many pods a Deployment may have too many, and how many may be missing, while it rolls out. */
export interface RolloutLimits {
  readonly surge: number;
  readonly unavailable: number;
}

/**
 * The limits of a Deployment as numbers: shares are rounded up for the surge, and down for what may
 * be missing. https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment
 */
export function rolloutLimits({ spec }: Deployment): RolloutLimits {
  const replicas = spec?.replicas ?? 1;
  const { maxSurge = "25%", maxUnavailable = "25%" } = spec?.strategy?.rollingUpdate ?? {};
  if (spec?.strategy?.type === "Recreate") return { surge: 0, unavailable: replicas };
  const surge = numberOf(maxSurge, replicas, Math.ceil);
  const unavailable = numberOf(maxUnavailable, replicas, Math.floor);
  return {
    surge,
    unavailable: surge === 0 && unavailable === 0 ? 1 : Math.min(unavailable, replicas),
  };
}

/** How many replicas the ReplicaSet of the newest template is to have now. */
export function newReplicas(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): number {
  const wanted = deployment.spec?.replicas ?? 1;
  const has = specified(current);
  if (has > wanted) return wanted;
  const others = sum(old, specified);
  if (deployment.spec?.strategy?.type === "Recreate") {
    return others > 0 || sum(old, ({ status }) => status?.replicas ?? 0) > 0 ? has : wanted;
  }
  const room = wanted + rolloutLimits(deployment).surge - others - has;
  return has + Math.max(0, Math.min(room, wanted - has));
}

/** Which of the older ReplicaSets are to shrink now, and to how many replicas; the oldest first. */
export function shrunk(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): readonly (readonly [set: ReplicaSet, replicas: number])[] {
  const wanted = deployment.spec?.replicas ?? 1;
  const least = wanted - rolloutLimits(deployment).unavailable;
  const all = current ? [...old, current] : old;
  const unavailable = specified(current) - available(current);
  let spare = sum(all, specified) - least - unavailable;
  const changes = new Map<ReplicaSet, number>();
  const take = (set: ReplicaSet, count: number) => {
    if (count <= 0) return;
    changes.set(set, (changes.get(set) ?? specified(set)) - count);
    spare -= count;
  };
  // First what does not serve anyway.
  for (const set of old) take(set, Math.min(spare, specified(set) - available(set)));
  for (const set of old) take(set, Math.min(spare, changes.get(set) ?? specified(set)));
  return [...changes];
}

function numberOf(
  value: string | number,
  replicas: number,
  round: (value: number) => number,
): number {
  if (typeof value === "number") return value;
  return round((Number.parseInt(value, 10) * replicas) / 100);
}

function specified(set: ReplicaSet | undefined): number {
  return set ? (set.spec?.replicas ?? 1) : 0;
}

function available(set: ReplicaSet | undefined): number {
  return set?.status?.availableReplicas ?? 0;
}

function sum(sets: readonly ReplicaSet[], of: (set: ReplicaSet) => number): number {
  return sets.reduce((total, set) => total + of(set), 0);
}
