import { defaulted } from "./admission.ts";
import type { ApiObject } from "./api-object.ts";
import { applyObject, checkAppliedKind } from "./apply-object.ts";
import { decodeFault } from "./built-in-decoding.ts";
import { checkPlace } from "./metadata-rules.ts";
import { identified } from "./object-body.ts";
import { servedForm } from "./object-forms.ts";
import { checkSameUid } from "./patched-object.ts";
import type { WriteCall } from "./registry.ts";
import { conflict, internalError, notFound } from "./registry-errors.ts";
import { reset } from "./registry-reset.ts";

/** A server-side apply of one object. */
export interface Apply {
  readonly call: WriteCall;
  readonly patch: ApiObject;
  readonly nowMs: number;
}

/** Refuses a patch that is of another kind, or says that it is elsewhere; tells what its text is faulted for. */
export function checkApply({ call, patch }: Apply): void {
  const { resource, namespace, name, warn, text } = call;
  checkAppliedKind(patch, resource);
  checkPlace(resource, identified(patch, resource), { namespace, name });
  for (const fault of text?.faults ?? []) warn(fault);
}

/** The object after an apply, with its owners and its defaults. */
export function appliedTo(before: ApiObject, apply: Apply): ApiObject {
  const { call, patch } = apply;
  const { resource } = call;
  checkSameUid(resource, identified(patch, resource).metadata.uid, before);
  const live = servedForm(resource, before);
  return defaulted(resource, reset(call, live, typed(apply, live)));
}

/** The object that an apply creates, as a body would say it, with its owners. Throws where it cannot. */
export function appliedToNothing(apply: Apply): ApiObject {
  const { resource, name, subresource } = apply.call;
  const { uid } = identified(apply.patch, resource).metadata;
  if (subresource !== undefined) throw notFound(resource, name);
  if (uid) throw conflict(resource, name, uidOfNothing(uid));
  const made = typed(apply, undefined);
  return { ...made, metadata: { ...made.metadata, resourceVersion: "" } };
}

/** An object with the owners of another. */
export function withManagersOf(object: ApiObject, { metadata }: ApiObject): ApiObject {
  const { managedFields } = metadata;
  return { ...object, metadata: { ...object.metadata, ...(managedFields && { managedFields }) } };
}

/** What an apply made, if Go could read it. */
function typed({ call, patch, nowMs }: Apply, live: ApiObject | undefined): ApiObject {
  const { resource, subresource, options } = call;
  const { manager, force } = options;
  const applied = applyObject({ patch, live, manager, force, resource, subresource, nowMs });
  const fault = decodeFault(resource, applied);
  if (fault !== undefined) throw internalError(fault);
  return applied;
}

function uidOfNothing(uid: string): string {
  return `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
}
