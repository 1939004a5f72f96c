import type { Clock } from "../../shared/clock.ts";
import { ApiError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { followObjects } from "./follow-objects.ts";
import { Later } from "./later.ts";
import { storageOf } from "./object-store.ts";
import { storeKey } from "./registry.ts";
import { deleteObject } from "./registry-delete.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";
import type { ObjectStore } from "./store.ts";

export const NAMESPACES = "/namespaces";

/** The finalizer in a namespace's spec that stands for its content. */
const CONTENT = "kubernetes";

/**
 * Empties namespaces that terminate, and lets them go once nothing is in them, as the namespace
 * controller of a cluster does.
 */
export function startNamespaceLifecycle(options: {
  readonly store: ObjectStore;
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}): () => void {
  const { store } = options;
  const later = new Later(options.onError);
  const stop = followObjects(options, ({ object }, resource) => {
    const namespace =
      storageOf(resource) === NAMESPACES ? object.metadata.name : object.metadata.namespace;
    if (namespace === undefined || !terminates(store, namespace)) return;
    later.do(() => empty(options, namespace));
  });
  return () => {
    stop();
    later.close();
  };
}

function terminates(store: ObjectStore, name: string): boolean {
  const found = store.get({ resource: NAMESPACES, namespace: "", name });
  return found?.metadata.deletionTimestamp !== undefined;
}

function empty(
  { store, catalog, clock }: { store: ObjectStore; catalog: ResourceCatalog; clock: Clock },
  namespace: string,
): void {
  if (!terminates(store, namespace)) return;
  let left = 0;
  for (const resource of catalog.all()) {
    if (!resource.namespaced) continue;
    for (const { metadata } of store.list(storageOf(resource), namespace)) {
      const { name, uid } = metadata;
      const options = { propagation: "Background", uid, dryRun: false } as const;
      if (metadata.deletionTimestamp === undefined)
        remove({ store, clock }, { resource, namespace, name, options });
      if (store.get(storeKey(resource, namespace, name))) left += 1;
    }
  }
  if (left === 0) finish(store, namespace);
}

function remove(...[deps, call]: Parameters<typeof deleteObject>): void {
  try {
    deleteObject(deps, call);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error; // Gone meanwhile, with its owner.
  }
}

function finish(store: ObjectStore, name: string): void {
  store.write({ resource: NAMESPACES, namespace: "", name }, (now) => {
    if (!now) return now;
    const { finalizers = [] } = (now.spec ?? {}) as { finalizers?: readonly string[] };
    const kept = finalizers.filter((each) => each !== CONTENT);
    if (kept.length === 0 && (now.metadata.finalizers ?? []).length === 0) return undefined;
    if (kept.length === finalizers.length) return now;
    return { ...now, spec: kept.length > 0 ? { finalizers: kept } : {} } as ApiObject;
  });
}
