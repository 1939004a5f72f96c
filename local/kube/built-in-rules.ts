import type { Clock } from "../../shared/clock.ts";
import type { ApiObject } from "./api-object.ts";
import { countedTemplate, tolerated } from "./built-in-update.ts";
import { checkOpen, warnOfRules } from "./crd-create.ts";
import { definitionWriteFaults } from "./crd-faults-write.ts";
import { withStoredVersion } from "./crd-status.ts";
import { eventUpdateFaults } from "./event-faults.ts";
import { immutableFaults } from "./immutable-fields.ts";
import type { KindRules } from "./kind-rules.ts";
import { warnOfWrite } from "./kind-warnings.ts";
import { createdNamespace, updatedNamespace } from "./namespace-rules.ts";
import { forbidden, notFound } from "./registry-errors.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";
import type { ServedResource } from "./served-resource.ts";
import { addressed, updatedService } from "./service-addresses.ts";
import type { ObjectStore } from "./store.ts";

export interface KindRulesOptions {
  readonly store: ObjectStore;
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
  readonly random: () => number;
}

const NAMESPACE = { group: "", plural: "namespaces", kind: "Namespace" };

/** The rules of the built-in kinds, and those that all custom resources share. */
export function createKindRules({ store, random }: KindRulesOptions): KindRules {
  return {
    checkNamespace: (resource, namespace, name) => {
      if (!resource.namespaced) return;
      const found = store.get({ resource: "/namespaces", namespace: "", name: namespace });
      if (!found) throw notFound(NAMESPACE, namespace);
      if (found.metadata.deletionTimestamp !== undefined)
        throw terminating(resource, namespace, name);
    },
    createsOnUpdate: ({ group, kind }) => group === "coordination.k8s.io" && kind === "Lease",
    prepareCreate: (resource, object, warn) => {
      if (resource.custom) checkOpen(store, resource, object);
      if (isBuiltIn(resource, "CustomResourceDefinition")) warnOfRules(object, warn);
      warnOfWrite(resource, object, warn);
      return withoutStatus(resource, object);
    },
    prepareUpdate: (resource, object, before, warn) => {
      if (isBuiltIn(resource, "CustomResourceDefinition")) warnOfRules(object, warn);
      warnOfWrite(resource, object, warn);
      if (isBuiltIn(resource, "Service")) return updatedService(object, before, { store, random });
      return updatedBuiltIn(resource, object, before);
    },
    faults: (resource, object, before) => {
      if (isBuiltIn(resource, "CustomResourceDefinition")) {
        return definitionWriteFaults(object, before);
      }
      if (!before) return [];
      if (isBuiltIn(resource, "Event")) return eventUpdateFaults(object, before);
      return immutableFaults(resource, object, before);
    },
    allocate: (resource, object) => {
      if (isBuiltIn(resource, "Namespace")) return createdNamespace(object);
      return isBuiltIn(resource, "Service") ? addressed(object, store, random) : object;
    },
  };
}

/** What a kind puts back that a client left out. */
function updatedBuiltIn(resource: ServedResource, object: ApiObject, before: ApiObject): ApiObject {
  if (isBuiltIn(resource, "Namespace")) return updatedNamespace(object, before);
  if (isBuiltIn(resource, "CustomResourceDefinition")) return withStoredVersion(object);
  if (isBuiltIn(resource, "Pod")) return tolerated(object);
  return isBuiltIn(resource, "DaemonSet") ? countedTemplate(object, before) : object;
}

function isBuiltIn({ kind, custom }: ServedResource, name: string): boolean {
  return !custom && kind === name;
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
