import { type KubeConnection, kubeWatch } from "../../local/kube-apiserver/kube-request.ts";
import type { Transport } from "../../shared/kube/wire.ts";
import { send } from "./kube-load.ts";

/** Plays the cloud's load balancers of one namespace: each new Service gets an address at once. */
export async function runLoadBalancer(
  kube: KubeConnection,
  { transport, namespace, signal }: LoadBalancerOptions,
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/services`;
  try {
    for await (const line of kubeWatch(kube, { path: `${path}?watch=1`, signal })) {
      const { type, object } = line as Change;
      if (type === "ADDED") await give(transport, path, object.metadata.name);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

export interface LoadBalancerOptions {
  readonly transport: Transport;
  /** Must be there. */
  readonly namespace: string;
  /** Ends it. */
  readonly signal: AbortSignal;
}

interface Change {
  readonly type: string;
  readonly object: { readonly metadata: { readonly name: string } };
}

async function give(transport: Transport, path: string, name: string): Promise<void> {
  await send(transport, {
    method: "PATCH",
    path: `${path}/${name}/status`,
    contentType: "application/merge-patch+json",
    body: { status: { loadBalancer: { ingress: [{ hostname: `${name}.lb.example.com` }] } } },
  });
}
