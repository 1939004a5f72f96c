import { podStatus } from "../../local/kube/workload-pods.ts";
import {
  type KubeConnection,
  kubeRequest,
  kubeWatch,
} from "../../local/kube-apiserver/kube-request.ts";
import type { Pod } from "../../shared/api/kinds.ts";
import { systemClock } from "../../shared/clock.ts";

/** Plays the nodes of a cluster: pods run as soon as they are there, and go when they are deleted. */
export async function runNodes(to: KubeConnection, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const change of kubeWatch(to, { path: "/api/v1/pods?watch=1", signal })) {
        const { object } = change as { readonly object: Pod };
        if (object.status?.phase === "Pending") await runs(to, object);
      }
    } catch {
      // A top: the server is not there yet, or not any more.
    }
    await systemClock.sleep(100, signal);
  }
}

async function runs(to: KubeConnection, pod: Pod): Promise<void> {
  const { namespace, name } = pod.metadata;
  await kubeRequest(to, {
    method: "PATCH",
    path: `/api/v1/namespaces/${namespace}/pods/${name}/status`,
    contentType: "application/merge-patch+json",
    body: { status: podStatus(pod, "Running", systemClock.nowMs()) },
  });
}
