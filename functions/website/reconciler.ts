import {
  Deployment,
  type Manifest,
  type Reconciler,
  type Result,
  readyCondition,
  Service,
  TerminalError,
} from "tidegate";
import type { websiteController } from "./controller.ts";
import type { Website } from "./resource.ts";

interface Dns {
  owns(h: string): boolean;
  point(h: string, t: string): Promise<void>;
  remove(h: string): Promise<void>;
}
declare function deploymentFor(w: Website): Manifest<Deployment>;
declare function serviceFor(w: Website): Manifest<Service>;

export const websiteReconciler = (dns: Dns): Reconciler<typeof websiteController> => ({
  async reconcile(website, { apply, client }): Promise<Result<Website>> {
    const { host, replicas } = website.spec;
    if (!dns.owns(host)) throw new TerminalError(`spec.host ${host} is outside the zone`);
    const deployment = await apply(Deployment, deploymentFor(website));
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
