import { ApiError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { type ApplyConflict, applyConflictError } from "./apply-conflict.ts";
import { decodedObject } from "./apply-decoded.ts";
import { lastAppliedFields, withLastApplied } from "./apply-last-applied.ts";
import {
  entryOf,
  type FieldWrite,
  managersAfterApply,
  managersAfterUpdate,
  writableSet,
} from "./apply-managers.ts";
import { prunedValue } from "./apply-prune.ts";
import { checkFields } from "./fields-check.ts";
import { sameJson } from "./fields-equal.ts";
import { mergeValues } from "./fields-merge.ts";
import { reconcileManagers } from "./fields-reconcile.ts";
import { difference, hasField, isEmptySet, setOf } from "./fields-set.ts";
import { goText } from "./fields-text.ts";
import { objectType } from "./fields-type.ts";
import { fieldsOf, type Json, mapIn } from "./fields-value.ts";
import {
  decodeManagers,
  encodeManagers,
  type ManagedSet,
  type Managers,
  managerId,
} from "./managed-fields.ts";
import type { ServedResource } from "./served-resource.ts";

export interface ApplyOptions extends Omit<FieldWrite, "type"> {
  /** Undefined where the apply creates the object. */
  readonly live?: ApiObject | undefined;
  readonly patch: Readonly<Record<string, unknown>>;
  /** Takes fields from other managers instead of a 409. */
  readonly force: boolean;
}

/**
 * The object after a server-side apply, with its owners in metadata.managedFields: live and patch
 * merged by the schema, without what this manager applied before, leaves out now and nobody else
 * owns. Defaults are still to be filled in, other rules to be checked. Where nothing changes but
 * the time of an entry, the registry keeps the old times (`sameExceptTimes`).
 *
 * Throws ApiError: 409 with the conflicts; 400 for another kind or a patch with managedFields; 500,
 * as the server does, for a patch that does not fit the schema.
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/
 */
export function applyObject(options: ApplyOptions): ApiObject {
  const { resource, patch } = options;
  checkPatch(options);
  const write: FieldWrite = { ...options, type: objectType(resource.schema) };
  const live = viewOf(resource, options.live ?? emptyObject(patch));
  const managers = liveManagers(options, live, write);
  const id = managerId(entryOf(write, "Apply"));
  const merged = mergeValues(live, patch, write.type);
  const entry: ManagedSet = {
    ...entryOf(write, "Apply"),
    set: writableSet(fieldsOf(patch, write.type), write),
    time: managers.get(id)?.time,
  };
  const claimed = new Map(managers).set(id, entry);
  const last = managers.get(id)?.set;
  const after = prunedValue({ merged, last, managers: claimed }, write.type);
  const owners = managersAfterApply({ before: live, after, managers: claimed }, write);
  refuseConflicts(shownConflicts(owners.conflicts, options), live, options);
  const changed = !sameJson(live, after);
  if (changed) stampTime(owners.managers, id, entryOf(write, "Apply").time);
  return finished(changed ? (mapIn(after) ?? {}) : live, owners.managers, options);
}

/** Refuses the body of an apply that is of another kind or version. Throws ApiError 400. */
export function checkAppliedKind(patch: Json, { group, version, kind }: ServedResource): void {
  const apiVersion = group ? `${group}/${version}` : version;
  if (patch.apiVersion === apiVersion && patch.kind === kind) return;
  throw badRequest(`invalid object type: ${kindText(patch)}`);
}

/** An object as it goes into comparisons: without its managers, and of built-in kinds as decoded. */
export function viewOf(resource: ServedResource, object: Json): Json {
  const metadata = mapIn(object.metadata);
  const { managedFields: _, ...others } = metadata ?? {};
  const view = metadata ? { ...object, metadata: others } : object;
  return decodedObject(resource, view);
}

export function emptyObject({ apiVersion, kind }: Json): Json {
  return { apiVersion, kind };
}

export function withManagers(object: Json, managers: Managers): ApiObject {
  const entries = encodeManagers(managers);
  const { managedFields: _, ...metadata } = mapIn(object.metadata) ?? {};
  const owned = entries.length > 0 ? { ...metadata, managedFields: entries } : metadata;
  // An object that is about to be created has no uid and no version yet.
  return { ...object, metadata: owned } as unknown as ApiObject;
}

function finished(object: Json, managers: Managers, options: ApplyOptions): ApiObject {
  const { resource, manager, patch } = options;
  const whole = decodedObject(resource, object);
  return withManagers(manager === "kubectl" ? withLastApplied(whole, patch) : whole, managers);
}

function checkPatch({ patch, resource }: ApplyOptions): void {
  checkAppliedKind(patch, resource);
  if (Array.isArray(mapIn(patch.metadata)?.managedFields)) {
    throw badRequest("metadata.managedFields must be nil");
  }
  const fault = checkFields(patch, objectType(resource.schema), { duplicates: false });
  if (fault !== undefined) throw unfit("patch", patch, fault);
}

function liveManagers(options: ApplyOptions, live: Json, write: FieldWrite): Managers {
  const fault = checkFields(live, write.type, { duplicates: true });
  if (fault !== undefined) throw unfit("live", live, fault);
  const managers = decodedManagers(options.live);
  if (managers.size > 0 || !options.live) return reconcileManagers(managers, write);
  const before = viewOf(options.resource, emptyObject(options.patch));
  return managersAfterUpdate(
    { before, after: live, managers },
    { ...write, manager: "before-first-apply" },
  );
}

function decodedManagers(live: ApiObject | undefined): Map<string, ManagedSet> {
  try {
    return decodeManagers(live?.metadata.managedFields);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw internal(`failed to decode managed fields: ${reason}`);
  }
}

/** Through the scale all owners look like those of a Scale. */
function shownConflicts(
  conflicts: readonly ApplyConflict[],
  { subresource }: ApplyOptions,
): readonly ApplyConflict[] {
  if (subresource !== "scale") return conflicts;
  return conflicts.map(({ manager, path }) => ({
    manager: { ...manager, apiVersion: "autoscaling/v1" },
    path,
  }));
}

/** kubectl may take over what it set by client-side apply. */
function refuseConflicts(
  conflicts: readonly ApplyConflict[],
  live: Json,
  { force, manager, resource }: ApplyOptions,
): void {
  if (force || conflicts.length === 0) return;
  const allowed =
    manager === "kubectl" ? lastAppliedFields(live, objectType(resource.schema)) : undefined;
  if (!allowed) throw applyConflictError(conflicts);
  const all = setOf(...conflicts.map(({ path }) => path));
  if (isEmptySet(difference(all, allowed))) return;
  throw applyConflictError(conflicts.filter(({ path }) => !hasField(allowed, path)));
}

function stampTime(managers: Map<string, ManagedSet>, id: string, time: string | undefined): void {
  const entry = managers.get(id);
  if (entry) managers.set(id, { ...entry, time: time ?? entry.time });
}

function unfit(which: "patch" | "live", object: Json, fault: string): ApiError {
  const { namespace = "", name = "" } = mapIn(object.metadata) ?? {};
  const target = `${goText(namespace)}/${goText(name)}; ${kindText(object)}`;
  return internal(`failed to create typed ${which} object (${target}): ${fault}`);
}

/** "apps/v1, Kind=Deployment", "/v1, Kind=Pod". */
function kindText({ apiVersion = "", kind = "" }: Json): string {
  const version = goText(apiVersion);
  return `${version.includes("/") ? version : `/${version}`}, Kind=${goText(kind)}`;
}

function internal(message: string): ApiError {
  return new ApiError({ code: 500, reason: "", message });
}

function badRequest(message: string): ApiError {
  return new ApiError({ code: 400, reason: "BadRequest", message });
}
