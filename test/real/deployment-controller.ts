import {
  type KubeConnection,
  kubeRequest,
  kubeWatch,
} from "../../local/kube-apiserver/kube-request.ts";
import type { Clock } from "../../shared/clock.ts";

/** What this controller reads of a Deployment. */
export interface DeploymentView {
  readonly metadata: {
    readonly uid: string;
    readonly namespace: string;
    readonly name: string;
    readonly generation: number;
    readonly deletionTimestamp?: string;
  };
  readonly spec: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly availableReplicas?: number;
  };
}

export interface DeploymentControllerOptions {
  readonly connection: KubeConnection;
  readonly clock: Clock;
  /** Ends the controller. */
  readonly signal: AbortSignal;
  /** How many replicas become available. Default: as many as the spec wants. */
  readonly availableReplicas?: ((deployment: DeploymentView) => number) | undefined;
  /** How long pods would take to start. Default 50. */
  readonly delayMs?: number;
}

/**
 * Plays the part of Kubernetes' Deployment controller and of the nodes: some time after the spec of
 * a Deployment changed, its status says that the replicas are available. It makes no pods. It lists
 * and watches like any other client, and starts over whenever that breaks.
 *
 * Resolves once the signal is aborted; does not reject.
 */
export async function runDeploymentController(options: DeploymentControllerOptions): Promise<void> {
  const { clock, signal } = options;
  while (!signal.aborted) {
    // A watch's own tasks end with it, so that none acts on what a later list no longer has.
    const round = new AbortController();
    const roundSignal = AbortSignal.any([signal, round.signal]);
    try {
      await listAndWatch({ ...options, signal: roundSignal });
    } catch {
      // A top: the API server is away or restarting, and the next round lists everything anew.
    } finally {
      round.abort();
    }
    await clock.sleep(200, signal);
  }
}

/** The status that a Deployment of that spec gets, apart from the times of its conditions. */
export function deploymentStatus(deployment: DeploymentView, available: number) {
  const wanted = wantedReplicas(deployment);
  const complete = available >= wanted;
  return {
    observedGeneration: deployment.metadata.generation,
    replicas: wanted,
    updatedReplicas: wanted,
    readyReplicas: available,
    availableReplicas: available,
    unavailableReplicas: Math.max(0, wanted - available),
    conditions: [
      {
        type: "Available",
        status: complete ? "True" : "False",
        reason: complete ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
        message: `${available} of ${wanted} replicas are available`,
      },
      {
        type: "Progressing",
        status: "True",
        reason: complete ? "NewReplicaSetAvailable" : "ReplicaSetUpdated",
        message: `${available} of ${wanted} replicas are available`,
      },
    ],
  };
}

const DEPLOYMENTS = "/apis/apps/v1/deployments";

async function listAndWatch(options: DeploymentControllerOptions): Promise<void> {
  const { connection, signal } = options;
  const list = await kubeRequest(connection, { path: DEPLOYMENTS, signal });
  if (list.status !== 200) throw new Error(`cannot list deployments: got ${list.status}`);
  const { items, metadata } = list.body as {
    items: DeploymentView[];
    metadata: { resourceVersion: string };
  };
  const newest = new Map<string, DeploymentView>();
  const settling = new Set<string>();
  const see = (deployment: DeploymentView) => {
    const { uid, generation } = deployment.metadata;
    const work = `${uid}/${generation}`;
    newest.set(uid, deployment);
    if (settling.has(work) || !behind(deployment, options)) return;
    settling.add(work);
    void settle(deployment, newest, options).finally(() => settling.delete(work));
  };
  for (const deployment of items) see(deployment);

  const path = `${DEPLOYMENTS}?watch=1&resourceVersion=${metadata.resourceVersion}`;
  for await (const change of kubeWatch(connection, { path, signal })) {
    const { type, object } = change as { type: string; object: DeploymentView };
    if (type === "ERROR") return;
    if (type === "DELETED") newest.delete(object.metadata.uid);
    else see(object);
  }
}

/** Waits, then writes the status, unless the Deployment has changed or gone meanwhile. */
async function settle(
  deployment: DeploymentView,
  newest: ReadonlyMap<string, DeploymentView>,
  options: DeploymentControllerOptions,
): Promise<void> {
  const { clock, connection, signal, delayMs = 50 } = options;
  const { uid, namespace, name, generation } = deployment.metadata;
  await clock.sleep(delayMs, signal);
  while (!signal.aborted && newest.get(uid)?.metadata.generation === generation) {
    const status = deploymentStatus(deployment, available(deployment, options));
    const at = new Date(clock.nowMs()).toISOString().replace(/\.\d+/, "");
    const times = { lastUpdateTime: at, lastTransitionTime: at };
    const conditions = status.conditions.map((condition) => ({ ...condition, ...times }));
    const written = await kubeRequest(connection, {
      method: "PATCH",
      path: `/apis/apps/v1/namespaces/${namespace}/deployments/${name}/status`,
      contentType: "application/merge-patch+json",
      // The uid makes it a conflict if another Deployment has taken the name.
      body: { metadata: { uid }, status: { ...status, conditions } },
      signal,
    }).catch(() => undefined);
    if (written && written.status < 500 && written.status !== 429) return;
    await clock.sleep(1_000, signal);
  }
}

function behind(deployment: DeploymentView, options: DeploymentControllerOptions): boolean {
  const { metadata, status } = deployment;
  if (metadata.deletionTimestamp !== undefined) return false;
  return (
    status?.observedGeneration !== metadata.generation ||
    (status.replicas ?? 0) !== wantedReplicas(deployment) ||
    (status.availableReplicas ?? 0) !== available(deployment, options)
  );
}

function available(deployment: DeploymentView, options: DeploymentControllerOptions): number {
  return options.availableReplicas?.(deployment) ?? wantedReplicas(deployment);
}

function wantedReplicas({ spec }: DeploymentView): number {
  return spec.replicas ?? 1;
}
