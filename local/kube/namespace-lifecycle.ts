import type { Clock } from "../../shared/clock.ts";
import { ApiError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { followObjects } from "./follow-objects.ts";
import { Later } from "./later.ts";
import { type Remains, reported } from "./namespace-report.ts";
import { storageOf } from "./object-store.ts";
import { storeKey } from "./registry.ts";
import { deleteObject } from "./registry-delete.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ObjectStore } from "./store.ts";

export const NAMESPACES = "/namespaces";

/** The finalizer in a namespace's spec that stands for its content. */
const CONTENT = "kubernetes";

/**
 * Empties namespaces that terminate, and lets them go once nothing is in them, as the namespace
 * controller of a cluster does.
 */
export function startNamespaceLifecycle(
  options: Options & { readonly onError: (error: unknown) => void },
): () => void {
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

interface Options {
  readonly store: ObjectStore;
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
}

function empty(options: Options, namespace: string): void {
  const { store, catalog, clock } = options;
  if (!terminates(store, namespace)) return;
  const objects = new Map<string, number>();
  const finalizers = new Map<string, number>();
  for (const resource of storedOnce(catalog)) {
    for (const { metadata } of store.list(storageOf(resource), namespace)) {
      const { name, uid } = metadata;
      const how = { propagation: "Background", uid, dryRun: false } as const;
      if (metadata.deletionTimestamp === undefined)
        remove({ store, clock }, { resource, namespace, name, options: how });
      const left = store.get(storeKey(resource, namespace, name));
      if (!left) continue;
      count(objects, `${resource.plural}.${resource.group}`);
      for (const finalizer of left.metadata.finalizers ?? []) count(finalizers, finalizer);
    }
  }
  if (objects.size === 0) finish(store, namespace);
  else report(options, namespace, { objects, finalizers });
}

/** Kinds that are served in several versions or groups are stored once. */
function storedOnce(catalog: ResourceCatalog): Iterable<ServedResource> {
  const namespaced = catalog.all().filter((each) => each.namespaced);
  return new Map(namespaced.map((each) => [storageOf(each), each])).values();
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function report({ store, catalog, clock }: Options, name: string, remains: Remains): void {
  const resource = catalog.find({ group: "", version: "v1", plural: "namespaces" });
  if (!resource) return;
  store.write({ resource: NAMESPACES, namespace: "", name }, (now) => {
    return now && reported(now, remains, { resource, nowMs: clock.nowMs() });
  });
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
