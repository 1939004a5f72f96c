import type { ApiMeta, ApiObject } from "../../local/kube/api-object.ts";
import { MemoryObjectStore } from "../../local/kube/object-store.ts";
import type { ServedResource } from "../../local/kube/served-resource.ts";
import type { ObjectState, ObjectStore } from "../../local/kube/store.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";

export const CONFIG_MAPS = "/configmaps";

/** A built-in kind of which a test needs only the shape. */
export function resourceOf(part: Partial<ServedResource> = {}): ServedResource {
  const { group = "", plural = "configmaps", kind = "ConfigMap" } = part;
  return {
    group,
    version: "v1",
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: true,
    schema: { type: "object" },
    custom: false,
    subresources: { status: false },
    columns: ["Name", "Data", "Age"].map((name) => ({ name, type: "string", jsonPath: "" })),
    selectableFields: [],
    storage: { group, plural, version: "v1" },
    ...part,
  };
}

export const widgets = resourceOf({
  group: "example.com",
  plural: "widgets",
  kind: "Widget",
  custom: true,
  selectableFields: [".spec.color"],
});

/** A ConfigMap as a client would send it; the store gives the version. */
export function configMap(
  name: string,
  part: Partial<ApiObject> = {},
  meta: Partial<ApiMeta> = {},
) {
  const metadata: ApiMeta = {
    name,
    namespace: "default",
    uid: `uid-${name}`,
    resourceVersion: "",
    creationTimestamp: "2026-01-01T00:00:00Z",
    ...meta,
  };
  return { apiVersion: "v1", kind: "ConfigMap", ...part, metadata } satisfies ApiObject;
}

export function memoryStore(clock = new VirtualClock(), state?: ObjectState): MemoryObjectStore {
  return new MemoryObjectStore({ clock, ...(state && { state }) });
}

/** Creates or replaces. */
export function put(store: ObjectStore, object: ApiObject, resource = CONFIG_MAPS) {
  const { namespace = "", name } = object.metadata;
  return store.write({ resource, namespace, name }, () => object);
}

export function remove(store: ObjectStore, name: string, namespace = "default") {
  return store.write({ resource: CONFIG_MAPS, namespace, name }, () => undefined);
}
