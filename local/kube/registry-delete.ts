import type { Clock } from "../../shared/clock.ts";
import { ApiError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { isHeld } from "./deletion-holds.ts";
import { timeText } from "./metadata-rules.ts";
import { served, storeKey } from "./registry.ts";
import { conflict, forbidden, notFound } from "./registry-errors.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ObjectStore } from "./store.ts";

/** What a DELETE was asked with. */
export interface DeleteOptions {
  readonly propagation?: "Background" | "Foreground" | "Orphan" | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly dryRun: boolean;
}

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
  const finalizers = finalizersFor(live, options.propagation);
  const held = isHeld(resource, { ...live, metadata: { ...live.metadata, finalizers } });
  if (!held) {
    const gone = { object: served(resource, live), gone: true };
    if (options.dryRun) return gone;
    const event = store.write(key, () => undefined);
    return { ...gone, object: served(resource, event?.object ?? live) };
  }
  const marked = terminating(resource, markedFor(live, finalizers, clock.nowMs()));
  if (options.dryRun || marked === live) return { object: served(resource, marked), gone: false };
  const event = store.write(key, () => marked);
  return { object: served(resource, event?.object ?? marked), gone: false };
}

/** Without these a cluster is none. */
const KEPT_NAMESPACES = new Set(["default", "kube-system", "kube-public"]);

function checkDeletable(resource: ServedResource, { metadata: { name } }: ApiObject): void {
  if (resource.group !== "" || resource.kind !== "Namespace" || !KEPT_NAMESPACES.has(name)) return;
  throw forbidden(resource, name, "this namespace may not be deleted");
}

/** What else a kind says of an object that is marked. */
function terminating({ group, kind }: ServedResource, object: ApiObject): ApiObject {
  if (group !== "" || kind !== "Namespace") return object;
  return { ...object, status: { ...(object.status as object), phase: "Terminating" } };
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

function markedFor(live: ApiObject, finalizers: readonly string[], nowMs: number): ApiObject {
  const { metadata } = live;
  const same = finalizers.join() === (metadata.finalizers ?? []).join();
  if (metadata.deletionTimestamp !== undefined && same) return live;
  const { finalizers: _, ...rest } = metadata;
  const { generation } = metadata;
  const first = metadata.deletionTimestamp === undefined;
  return {
    ...live,
    metadata: {
      ...rest,
      ...(finalizers.length > 0 && { finalizers }),
      deletionTimestamp: metadata.deletionTimestamp ?? timeText(nowMs),
      deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds ?? 0,
      // Raised once, by the first delete, where there is one at all.
      ...(generation !== undefined &&
        generation > 0 && { generation: generation + (first ? 1 : 0) }),
    },
  };
}

/** Reads the options of a DELETE from its body and query; the query is older and loses. Throws ApiError 400/422. */
export function deleteOptionsOf(body: string, query: URLSearchParams): DeleteOptions {
  const given = (body === "" ? {} : (JSON.parse(body) as Record<string, unknown>)) as {
    readonly propagationPolicy?: string;
    readonly orphanDependents?: boolean;
    readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
    readonly dryRun?: readonly string[];
  };
  const policy = given.propagationPolicy ?? query.get("propagationPolicy") ?? undefined;
  const orphan = given.orphanDependents ?? orphanIn(query);
  if (policy !== undefined && !["Background", "Foreground", "Orphan"].includes(policy)) {
    throw unknownPolicy(policy);
  }
  return {
    propagation: (policy ??
      (orphan === undefined
        ? undefined
        : orphan
          ? "Orphan"
          : "Background")) as DeleteOptions["propagation"],
    uid: given.preconditions?.uid,
    resourceVersion: given.preconditions?.resourceVersion,
    dryRun: (given.dryRun ?? query.getAll("dryRun")).includes("All"),
  };
}

function orphanIn(query: URLSearchParams): boolean | undefined {
  const text = query.get("orphanDependents");
  return text === null ? undefined : text === "true";
}

function unknownPolicy(policy: string): ApiError {
  const message = `Unsupported value: ${JSON.stringify(policy)}: supported values: "Background", "Foreground", "Orphan", "nil"`;
  const cause = { reason: "FieldValueNotSupported", message, field: "propagationPolicy" };
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: `DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: ${message}`,
    details: { group: "meta.k8s.io", kind: "DeleteOptions", causes: [cause] },
  });
}
