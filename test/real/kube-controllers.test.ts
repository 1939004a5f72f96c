import { ClusterControllers } from "../../local/kube-apiserver/cluster-controllers.ts";
import { accessOf, type KubeConnection } from "../../local/kube-apiserver/kube-request.ts";
import { ConfigMap, Secret } from "../../shared/api/kinds.ts";
import { systemClock } from "../../shared/clock.ts";
import { createTransport } from "../../shared/kube/transport.ts";
import { loggerOf } from "../../shared/telemetry/logger-of.ts";
import { findKind } from "../../shared/testing/manifests.ts";
import { httpPeer } from "../contract/kube/harness/http-peer.ts";
import { kubeContract } from "../contract/kube/harness/kube-contract.ts";
import { startKube } from "./kube-apiserver.ts";

// Garbage and namespaces on a kube-apiserver whose controllers are those of the testing kit. What is
// expected was recorded with the kube-controller-manager.

await kubeContract("kube-apiserver with the controllers of the testing kit", {
  only: ["garbage", "namespace"],
  start: async () => {
    const { url, ca, token, stop } = await startKube({
      deployments: false,
      garbageCollector: false,
    });
    const controllers = startControllers({ url, ca, token });
    return httpPeer({
      url,
      ca,
      token,
      stop: async () => {
        await controllers.stop();
        await stop();
      },
    });
  },
});

function startControllers(connection: KubeConnection): ClusterControllers {
  const transport = createTransport(accessOf(connection), { clock: systemClock });
  const controllers = new ClusterControllers({
    transport,
    clock: systemClock,
    random: Math.random,
    log: loggerOf(() => {}),
    served: (kind) => findKind(transport, kind),
  });
  for (const kind of [ConfigMap, Secret]) controllers.follow(kind);
  return controllers;
}
