import type { Clock } from "../../shared/clock.ts";
import type { ApiObject } from "./api-object.ts";
import { established } from "./crd-lifecycle.ts";
import type { KindRules } from "./kind-rules.ts";
import { forbidden, notFound } from "./registry-errors.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ObjectStore } from "./store.ts";

export interface KindRulesOptions {
  readonly store: ObjectStore;
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
  readonly random: () => number;
}

const NAMESPACE = { group: "", plural: "namespaces", kind: "Namespace" };

/** The rules of the built-in kinds, and those that all custom resources share. */
export function createKindRules({ store, clock }: KindRulesOptions): KindRules {
  return {
    checkNamespace: (resource, namespace, name) => {
      if (!resource.namespaced) return;
      const found = store.get({ resource: "/namespaces", namespace: "", name: namespace });
      if (!found) throw notFound(NAMESPACE, namespace);
      if (found.metadata.deletionTimestamp !== undefined)
        throw terminating(resource, namespace, name);
    },
    createsOnUpdate: ({ group, kind }) => group === "coordination.k8s.io" && kind === "Lease",
    prepareCreate: (resource, object) => withoutStatus(resource, object),
    prepareUpdate: (_resource, object) => object,
    faults: () => [],
    allocate: ({ kind, custom }, object) =>
      kind === "CustomResourceDefinition" && !custom ? established(object, clock.nowMs()) : object,
  };
}

function withoutStatus({ subresources }: ServedResource, object: ApiObject): ApiObject {
  if (!subresources.status) return object;
  const { status: _, ...rest } = object;
  return rest as ApiObject;
}

function terminating(resource: ServedResource, namespace: string, name: string) {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const cause = {
    reason: "NamespaceTerminating",
    message: `namespace ${namespace} is being terminated`,
    field: "metadata.namespace",
  };
  return forbidden(resource, name, why, [cause]);
}
