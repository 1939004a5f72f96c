import type { Clock } from "../../shared/clock.ts";
import { ApiError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { CLEANUP, specOf, terminating } from "./crd-status.ts";
import { DEFINITIONS } from "./live-catalog.ts";
import { deleteObject } from "./registry-delete.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ObjectStore } from "./store.ts";

/** Deletes the objects of a definition that is deleted, and lets it go once none is left. */
export function emptied(
  deps: { readonly store: ObjectStore; readonly catalog: ResourceCatalog; readonly clock: Clock },
  name: string,
): void {
  const { store, catalog, clock } = deps;
  const key = { resource: DEFINITIONS, namespace: "", name };
  const definition = store.get(key);
  if (!definition?.metadata.finalizers?.includes(CLEANUP)) return;
  const { group, names } = specOf(definition);
  const storage = `${group}/${names.plural}`;
  const resource = catalog
    .all()
    .find((each) => each.custom && each.group === group && each.plural === names.plural);
  if (resource) {
    for (const object of store.list(storage, "")) remove(deps, resource, object);
  }
  const empty = !resource || store.list(storage, "").length === 0;
  store.write(key, (now) => {
    if (!now) return now;
    return empty ? released(now) : inProgress(now, clock.nowMs());
  });
}

function remove(
  deps: { readonly store: ObjectStore; readonly clock: Clock },
  resource: ServedResource,
  { metadata }: ApiObject,
): void {
  if (metadata.deletionTimestamp !== undefined) return;
  const { name, namespace = "", uid } = metadata;
  const options = { propagation: "Background", uid, dryRun: false } as const;
  try {
    deleteObject(deps, { resource, namespace, name, options });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error; // Gone meanwhile, with its owner.
  }
}

function released(now: ApiObject): ApiObject | undefined {
  const finalizers = (now.metadata.finalizers ?? []).filter((each) => each !== CLEANUP);
  if (finalizers.length === 0) return undefined;
  return { ...now, metadata: { ...now.metadata, finalizers } };
}

function inProgress(now: ApiObject, nowMs: number): ApiObject {
  const { conditions } = now.status as { conditions: readonly { reason: string }[] };
  if (conditions.some(({ reason }) => reason === "InstanceDeletionInProgress")) return now;
  return terminating(
    now,
    "InstanceDeletionInProgress",
    "CustomResource deletion is in progress",
    nowMs,
  );
}
