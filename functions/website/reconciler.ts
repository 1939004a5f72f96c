import {
  ConfigMap,
  Deployment,
  type Reconciler,
  type Result,
  readyCondition,
  Service,
  TerminalError,
} from "tidegate";
import { deploymentFor, serviceFor } from "./children.ts";
import type { websiteController } from "./controller.ts";
import type { Dns } from "./dns.ts";
import type { Website } from "./resource.ts";

/** Runs a website: a Deployment, a Service, and a DNS name once the Service has an address. */
export const websiteReconciler = (dns: Dns): Reconciler<typeof websiteController> => ({
  async reconcile(website, { apply, client }): Promise<Result<Website>> {
    const { host, replicas, contentFrom } = website.spec;
    if (!dns.owns(host)) throw new TerminalError(`spec.host ${host} is outside the zone`);
    const content =
      contentFrom === undefined ? undefined : await client.get(ConfigMap, contentFrom);
    const deployment = await apply(Deployment, deploymentFor(website, content));
    const service = await apply(Service, serviceFor(website));
    const target = service.status?.loadBalancer?.ingress?.[0]?.hostname;
    if (target !== undefined) await dns.point(host, target);
    const availableReplicas = deployment.status?.availableReplicas ?? 0;
    const ready = target !== undefined && availableReplicas >= replicas;
    return {
      status: { availableReplicas, conditions: [readyCondition(ready)] },
      requeueAfterSeconds: ready ? undefined : 15,
    };
  },
  async finalize(website) {
    await dns.remove(website.spec.host);
  },
});
