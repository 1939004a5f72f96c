import type { ApiObject } from "./api-object.ts";
import { eventInForm } from "./event-forms.ts";
import { withDefaults } from "./schema-defaults.ts";
import { prune } from "./schema-prune.ts";
import type { ServedResource } from "./served-resource.ts";

/**
 * A stored object as its resource serves it: in its own version. An object that was written before
 * its definition changed is pruned and filled in by the present schema; what is stored stays.
 */
export function servedForm(resource: ServedResource, object: ApiObject): ApiObject {
  const { schema, rereadUpTo = 0 } = resource;
  const form = inForm(resource, object, resource);
  if (rereadUpTo === 0 || Number(object.metadata.resourceVersion) > rereadUpTo) return form;
  return withDefaults(schema, prune(schema, form));
}

/** A served object as it is stored: in the storage version. */
export function storedForm(resource: ServedResource, object: ApiObject): ApiObject {
  return inForm(resource, object, resource.storage);
}

function inForm(
  { kind, custom }: ServedResource,
  object: ApiObject,
  { group, version }: { readonly group: string; readonly version: string },
): ApiObject {
  const apiVersion = group === "" ? version : `${group}/${version}`;
  if (object.apiVersion === apiVersion) return object;
  if (!custom && kind === "Event") return eventInForm(object, apiVersion);
  return { ...object, apiVersion, kind };
}
