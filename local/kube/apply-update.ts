import type { ApiObject } from "./api-object.ts";
import { type FieldWrite, managersAfterUpdate } from "./apply-managers.ts";
import { emptyObject, viewOf, withManagers } from "./apply-object.ts";
import { checkFields } from "./fields-check.ts";
import { fieldElement } from "./fields-element.ts";
import { sameJson } from "./fields-equal.ts";
import { reconcileManagers } from "./fields-reconcile.ts";
import { hasField } from "./fields-set.ts";
import { objectType } from "./fields-type.ts";
import { decodeManagers, isReset, type ManagedSet, type Managers } from "./managed-fields.ts";
import type { ServedResource } from "./served-resource.ts";

export interface UpdateOptions extends Omit<FieldWrite, "type"> {
  /** Undefined for a create. */
  readonly before?: ApiObject | undefined;
  /** As decoded, with defaults, before the kind's own rules (status put back, addresses given out). */
  readonly after: ApiObject;
}

/**
 * The object after a create, update or patch, with its owners in metadata.managedFields: what
 * changed belongs to this manager, what is gone to nobody. An object whose owners were never
 * tracked, or were cleared by a list of [{}] (or [],
 * of built-in kinds), stays without them until it is applied.
 */
export function trackUpdate(options: UpdateOptions): ApiObject {
  const { before, after, resource } = options;
  const managers = managersOfRequest(options);
  const tracked = managers.size > 0 || !before?.metadata.uid;
  if (!tracked) return withManagers({ ...after }, managers);
  if (options.subresource === "scale" && !ownsReplicas(managers, resource)) {
    return withLiveEntries(options);
  }
  const write: FieldWrite = { ...options, type: objectType(resource.schema) };
  const was = viewOf(resource, before ? { ...before } : emptyObject({ ...after }));
  const is = viewOf(resource, { ...after });
  const unfit = [was, is].some((one) => checkFields(one, write.type, { duplicates: true }));
  if (unfit) return withLiveEntries(options);
  const reconciled = reconcileManagers(managers, write);
  const owners = managersAfterUpdate({ before: was, after: is, managers: reconciled }, write);
  return withManagers({ ...after }, owners);
}

/**
 * Whether two states differ at most in the times of their managers. Then the write is none: the
 * registry keeps `before`, its version and its times. The version itself is not compared.
 */
export function sameExceptTimes(before: ApiObject, after: ApiObject): boolean {
  return sameJson(timeless(before), timeless(after));
}

/** A Scale has owners only where its object's number of replicas has one: else they are not tracked. */
function ownsReplicas(managers: Managers, { subresources }: ServedResource): boolean {
  const path = (subresources.scale?.specReplicasPath ?? "")
    .split(".")
    .filter((part) => part !== "")
    .map(fieldElement);
  return [...managers.values()].some(({ set }) => hasField(set, path));
}

/** A list in the body counts, as clients repair owners that way; not so through a subresource. */
function managersOfRequest({ before, after, subresource, resource }: UpdateOptions): Managers {
  const live = () => decodedOrNone(before?.metadata.managedFields) ?? new Map();
  if (subresource) return live();
  const entries = after.metadata.managedFields;
  // Decoding of custom objects drops an empty list, so that only [{}] clears their owners.
  if (isReset(entries) && !(resource.custom && entries?.length === 0)) return new Map();
  const managers = decodedOrNone(entries);
  return managers && managers.size > 0 ? managers : live();
}

function decodedOrNone(entries: unknown): Map<string, ManagedSet> | undefined {
  try {
    return decodeManagers(entries);
  } catch {
    return undefined; // As the server does: entries that cannot be read count as none.
  }
}

function withLiveEntries({ before, after }: UpdateOptions): ApiObject {
  const { managedFields: _, ...metadata } = after.metadata;
  const entries = before?.metadata.managedFields;
  return { ...after, metadata: entries ? { ...metadata, managedFields: entries } : metadata };
}

function timeless({ metadata, ...rest }: ApiObject): object {
  const managedFields = metadata.managedFields?.map((entry) => ({ ...entry, time: "" }));
  return { ...rest, metadata: { ...metadata, resourceVersion: "", managedFields } };
}
