import type { ApiObject } from "./api-object.ts";

import type { Registry } from "./registry.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";

/** The namespaces of a fresh cluster. */
const NAMESPACES = ["default", "kube-node-lease", "kube-public", "kube-system"];

/** The first address of the range of cluster IPs, as in a cluster. */
const KUBERNETES_IP = "10.96.0.1";

export interface Seeded {
  readonly registry: Registry;
  readonly catalog: ResourceCatalog;
}

/** Puts what a fresh cluster holds into the store, as far as it is not there. */
export function seedCluster(into: Seeded): void {
  for (const name of NAMESPACES) {
    ensure(into, "namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
  ensure(into, "services", {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: "kubernetes",
      namespace: "default",
      labels: { component: "apiserver", provider: "kubernetes" },
    },
    spec: {
      clusterIP: KUBERNETES_IP,
      ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
    },
  });
}

/** The account that pods of a namespace have unless they say otherwise. */
export function ensureDefaultAccount(into: Seeded, namespace: string): void {
  const metadata = { name: "default", namespace };
  ensure(into, "serviceaccounts", { apiVersion: "v1", kind: "ServiceAccount", metadata });
}

interface Seed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: object;
  };
  readonly spec?: object;
}

/** Creates an object of the core group unless there is one of its name. */
function ensure({ registry, catalog }: Seeded, plural: string, seed: Seed): void {
  const resource = catalog.find({ group: "", version: "v1", plural });
  if (!resource) throw new Error(`cannot seed the cluster: expected the resource ${plural}`);
  const { name, namespace = "" } = seed.metadata;
  if (registry.has({ resource, namespace, name })) return;
  const options = {
    manager: "kube-apiserver",
    dryRun: false,
    fieldValidation: "Ignore",
    force: false,
  } as const;
  registry.create({ resource, namespace, options, warn: () => {} }, seed as unknown as ApiObject);
}
