import type { Registry } from "./registry.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";
import type { ObjectStore } from "./store.ts";

/** The namespaces of a fresh cluster. */
const NAMESPACES = ["default", "kube-node-lease", "kube-public", "kube-system"];

/** Puts into a store what a fresh cluster holds, as far as it is not there. */
export function seedCluster({
  store,
  registry,
  catalog,
}: {
  readonly store: ObjectStore;
  readonly registry: Registry;
  readonly catalog: ResourceCatalog;
}): void {
  const resource = catalog.find({ group: "", version: "v1", plural: "namespaces" });
  if (!resource) throw new Error("cannot seed the cluster: expected the kind Namespace");
  for (const name of NAMESPACES) {
    if (store.get({ resource: "/namespaces", namespace: "", name })) continue;
    const metadata = { name, uid: "", resourceVersion: "", creationTimestamp: "" };
    const options = {
      manager: "kube-apiserver",
      managerNamed: true,
      dryRun: false,
      fieldValidation: "Ignore",
      force: false,
    } as const;
    registry.create(
      { resource, namespace: "", options, warn: () => {} },
      { apiVersion: "v1", kind: "Namespace", metadata },
    );
  }
}
