import { DEFINITIONS } from "./live-catalog.ts";
import { storageOf } from "./object-store.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ObjectStore, StoreEvent } from "./store.ts";

/** Told of a change of any kind, with a resource in which the object is served. */
export type Follower = (event: StoreEvent, resource: ServedResource) => void;

/**
 * Tells of every object there is, and then of every change of any kind, those of kinds that are
 * defined later included. Returns how to stop.
 */
export function followObjects(
  { store, catalog }: { readonly store: ObjectStore; readonly catalog: ResourceCatalog },
  follower: Follower,
): () => void {
  const followed = new Map<string, () => void>();
  const follow = (resource: ServedResource) => {
    const storage = storageOf(resource);
    if (followed.has(storage)) return;
    followed.set(
      storage,
      store.subscribe(storage, (event) => follower(event, resource)),
    );
    for (const object of store.list(storage, "")) {
      follower({ type: "ADDED", object, version: store.version }, resource);
    }
  };
  const followNew = () => {
    for (const resource of catalog.all()) follow(resource);
  };
  followNew();
  const stop = store.subscribe(DEFINITIONS, followNew);
  return () => {
    stop();
    for (const end of followed.values()) end();
  };
}
