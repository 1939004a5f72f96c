import type { ApiObject } from "./api-object.ts";
import type { ServedResource } from "./served-resource.ts";

/** Whether something keeps an object that is being deleted: finalizers, or a namespace's content. */
export function isHeld({ group, kind }: ServedResource, object: ApiObject): boolean {
  if ((object.metadata.finalizers ?? []).length > 0) return true;
  if (group !== "" || kind !== "Namespace") return false;
  const { finalizers = [] } = (object.spec ?? {}) as { readonly finalizers?: readonly string[] };
  return finalizers.length > 0;
}
