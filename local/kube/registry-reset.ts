import type { ApiMeta, ApiObject } from "./api-object.ts";
import type { ServedResource } from "./served-resource.ts";

/**
 * The object with what a write through this path cannot change put back: the status, or all but the
 * status.
 */
export function reset(
  {
    resource,
    subresource,
  }: { readonly resource: ServedResource; readonly subresource?: string | undefined },
  live: ApiObject,
  object: ApiObject,
): ApiObject {
  if (subresource === "status") return onlyStatus(resource, live, object);
  return resource.subresources.status ? withStatus(object, live) : object;
}

function onlyStatus(resource: ServedResource, live: ApiObject, object: ApiObject): ApiObject {
  const metadata = resource.custom
    ? customMetadata(live.metadata, object.metadata)
    : builtInMetadata(resource, live.metadata, object.metadata);
  return withStatus({ ...live, metadata }, object);
}

function customMetadata(live: ApiMeta, { managedFields, resourceVersion }: ApiMeta): ApiMeta {
  return { ...live, ...(managedFields && { managedFields }), resourceVersion };
}

/** Built-in kinds let most of their metadata be written with the status. */
function builtInMetadata({ kind }: ServedResource, live: ApiMeta, asked: ApiMeta): ApiMeta {
  const kept = { Deployment: "labels", Pod: "ownerReferences" }[kind] as keyof ApiMeta | undefined;
  if (kept === undefined) return asked;
  const { [kept]: _, ...rest } = asked;
  const value = live[kept];
  return { ...rest, ...(value !== undefined && { [kept]: value }) } as ApiMeta;
}

function withStatus(object: ApiObject, { status }: ApiObject): ApiObject {
  const { status: _, ...rest } = object;
  return { ...rest, ...(status !== undefined && { status }) } as ApiObject;
}
