import type { Logger } from "../api/log.ts";
import type { KubernetesObject } from "../api/object.ts";
import { systemClock } from "../clock.ts";
import { createTransport } from "../kube/transport.ts";
import type { KubeRequest, Transport } from "../kube/wire.ts";
import { CreatedObjects } from "./created-objects.ts";
import { findKind } from "./manifests.ts";
import { observedTransport } from "./observed-transport.ts";
import { targetOf } from "./request-target.ts";
import { ServerClock } from "./server-clock.ts";
import { ServerTraffic } from "./server-traffic.ts";
import type { TestClock } from "./test-clock.ts";
import type { TestCluster } from "./test-cluster.ts";

export interface ServerClusterOptions {
  /** The folder that KUBEBUILDER_ASSETS names. */
  readonly assets: string;
  readonly log: Logger;
  /** The transport of the cluster's own controllers, such as that of Deployments. */
  readonly observed: (transport: Transport) => Transport;
}

/**
 * A cluster of a real kube-apiserver of ours, with the controllers that the one in memory has. The
 * first one of a process takes some seconds.
 */
export async function startServerCluster(
  options: ServerClusterOptions,
): Promise<TestCluster & { readonly clock: TestClock }> {
  const { assets, log, observed } = options;
  // Loaded here: tests in memory need none of it.
  const { accessOf } = await import("../../local/kube-apiserver/kube-request.ts");
  const { lendServer } = await import("../../local/kube-apiserver/lent-server.ts");
  const { ClusterControllers } = await import("../../local/kube-apiserver/cluster-controllers.ts");
  const { connection, giveBack } = await lendServer(assets);
  const traffic = new ServerTraffic();
  const clock = new ServerClock(traffic);
  const direct = traffic.over(createTransport(accessOf(connection), { clock: systemClock, log }));
  const created = new CreatedObjects();
  let emptied = false; // Or the next test would find what is left.
  const noted = created.over(direct);
  const controllers = new ClusterControllers({
    transport: observed(noted),
    clock,
    random: () => 0.5,
    log,
    served: (kind) => findKind(direct, kind),
  });
  const transport = observedTransport(noted, async (request) => {
    const answer = await noted.request(request);
    const kind = answer.status === 201 && createdKind(request, answer.body);
    if (kind) controllers.follow(kind);
    return answer;
  });
  return {
    clock,
    transport,
    ours: true,
    work: async () => undefined,
    empty: async () => {
      await created.remove(direct, clock);
      emptied = true;
    },
    stop: async () => {
      await controllers.stop();
      direct.close();
      if (emptied) await giveBack();
    },
  };
}

function createdKind(request: KubeRequest, body: unknown) {
  const target = targetOf(request);
  if (!target || target.subresource !== undefined) return undefined;
  const { apiVersion, kind } = body as KubernetesObject;
  const scope = target.key.namespace === "" ? "Cluster" : "Namespaced";
  return { apiVersion, kind, plural: target.plural, scope } as const;
}
