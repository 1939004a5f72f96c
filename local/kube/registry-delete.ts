import type { Clock } from "../../shared/clock.ts";
import type { ApiObject } from "./api-object.ts";
import { markedDefinition } from "./crd-status.ts";
import type { DeleteOptions } from "./delete-options.ts";
import { isHeld } from "./deletion-holds.ts";
import { deletionTimeOf, graceSecondsOf } from "./pod-deletion.ts";
import { served, storeKey } from "./registry.ts";
import { conflict, forbidden, notFound } from "./registry-errors.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ObjectStore } from "./store.ts";

export interface DeleteCall {
  readonly resource: ServedResource;
  readonly namespace: string;
  readonly name: string;
  readonly options: DeleteOptions;
}

/** What became of an object that was deleted. */
export interface Deleted {
  readonly object: ApiObject;
  /** Gone at once; else it terminates until its last finalizer goes. */
  readonly gone: boolean;
}

const FOREGROUND = "foregroundDeletion";
const ORPHAN = "orphan";

/**
 * Deletes an object: at once, or marks it where finalizers hold it. Foreground and orphan deletion
 * are finalizers of the garbage collector's. A second delete changes nothing but those.
 */
export function deleteObject(
  { store, clock }: { readonly store: ObjectStore; readonly clock: Clock },
  { resource, namespace, name, options }: DeleteCall,
): Deleted {
  const key = storeKey(resource, namespace, name);
  const live = store.get(key);
  if (!live) throw notFound(resource, name);
  checkPreconditions(resource, live, options);
  checkDeletable(resource, live);
  const first = live.metadata.deletionTimestamp === undefined;
  if (first && (isDefinition(resource) || isNamespace(resource))) {
    const nowMs = clock.nowMs();
    const marked = isNamespace(resource)
      ? markedNamespace(live, nowMs)
      : markedDefinition(live, nowMs);
    const event = options.dryRun ? undefined : store.write(key, () => marked);
    return { object: served(resource, event?.object ?? marked), gone: false };
  }
  const finalizers = finalizersFor(live, propagationOf(resource, options));
  const held = isHeld(resource, { ...live, metadata: { ...live.metadata, finalizers } });
  const grace = isPod(resource) ? graceSecondsOf(live, options.gracePeriodSeconds) : 0;
  if (!held && grace === 0) return remove(store, clock, { resource, live, options });
  // Namespaces know no grace: a further delete leaves them as they are.
  const marked = isNamespace(resource)
    ? live
    : markedFor(live, finalizers, { grace, nowMs: clock.nowMs() });
  if (options.dryRun || marked === live) return { object: served(resource, marked), gone: false };
  const event = store.write(key, () => marked);
  return { object: served(resource, event?.object ?? marked), gone: false };
}

function remove(
  store: ObjectStore,
  clock: Clock,
  {
    resource,
    live,
    options,
  }: Pick<DeleteCall, "resource" | "options"> & { readonly live: ApiObject },
): Deleted {
  const { name, namespace = "" } = live.metadata;
  const event = options.dryRun
    ? undefined
    : store.write(storeKey(resource, namespace, name), () => undefined);
  const object = served(resource, event?.object ?? live);
  if (!isPod(resource)) return { object, gone: true };
  // Marked and removed in one step: its answer shows both.
  const { finalizers = [] } = live.metadata;
  const marked = markedFor(object, finalizers, { grace: 0, nowMs: clock.nowMs() });
  return { object: marked, gone: true };
}

function isDefinition({ group, kind }: ServedResource): boolean {
  return group === "apiextensions.k8s.io" && kind === "CustomResourceDefinition";
}

function isPod({ group, kind }: ServedResource): boolean {
  return group === "" && kind === "Pod";
}

/** Without these a cluster is none. */
const KEPT_NAMESPACES = new Set(["default", "kube-system", "kube-public"]);

function checkDeletable(resource: ServedResource, { metadata: { name } }: ApiObject): void {
  if (resource.group !== "" || resource.kind !== "Namespace" || !KEPT_NAMESPACES.has(name)) return;
  throw forbidden(resource, name, "this namespace may not be deleted");
}

function isNamespace({ group, kind }: ServedResource): boolean {
  return group === "" && kind === "Namespace";
}

/** A namespace as its first deletion leaves it. */
function markedNamespace(namespace: ApiObject, nowMs: number): ApiObject {
  const { metadata, status } = namespace;
  return {
    ...namespace,
    metadata: { ...metadata, deletionTimestamp: deletionTimeOf(0, nowMs) },
    status: { ...(status as object), phase: "Terminating" },
  };
}

function checkPreconditions(
  resource: ServedResource,
  { metadata }: ApiObject,
  { uid, resourceVersion }: DeleteOptions,
): void {
  const { name } = metadata;
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(
      resource,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
      resource.kind,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      resource,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
      resource.kind,
    );
  }
}

/** Jobs orphan their Pods where nobody says otherwise, unless others have said so before. */
function propagationOf(
  { group, kind }: ServedResource,
  { propagation }: DeleteOptions,
): DeleteOptions["propagation"] {
  return propagation ?? (group === "batch" && kind === "Job" ? "Orphan" : undefined);
}

/** The finalizers that hold the object: its own, with that of the garbage collector as asked. */
function finalizersFor(
  { metadata }: ApiObject,
  propagation: DeleteOptions["propagation"],
): readonly string[] {
  const own = metadata.finalizers ?? [];
  if (propagation === undefined) return own;
  const others = own.filter((each) => each !== FOREGROUND && each !== ORPHAN);
  if (propagation === "Foreground") return [...others, FOREGROUND];
  return propagation === "Orphan" ? [...others, ORPHAN] : others;
}

function markedFor(
  live: ApiObject,
  finalizers: readonly string[],
  { grace, nowMs }: { readonly grace: number; readonly nowMs: number },
): ApiObject {
  const { metadata } = live;
  const first = metadata.deletionTimestamp === undefined;
  const sameHolds = finalizers.join() === (metadata.finalizers ?? []).join();
  if (!first && sameHolds && metadata.deletionGracePeriodSeconds === grace) return live;
  const { finalizers: _, generation, ...rest } = metadata;
  const sooner = first || grace < (metadata.deletionGracePeriodSeconds ?? 0);
  return {
    ...live,
    metadata: {
      ...rest,
      ...(finalizers.length > 0 && { finalizers }),
      deletionTimestamp: sooner ? deletionTimeOf(grace, nowMs) : metadata.deletionTimestamp,
      deletionGracePeriodSeconds: sooner ? grace : metadata.deletionGracePeriodSeconds,
      // Raised once, by the first delete, where there is one at all.
      ...(generation !== undefined && {
        generation: generation > 0 && first ? generation + 1 : generation,
      }),
    } as ApiObject["metadata"],
  };
}
