import type { Warn } from "./admission.ts";
import type { FieldError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import type { ServedResource } from "./served-resource.ts";

/** What single kinds need beyond the rules for all objects. */
export interface KindRules {
  /** Throws where objects cannot be made in the namespace: it is not there, or terminates. */
  readonly checkNamespace: (resource: ServedResource, namespace: string, name: string) => void;
  /** Whether a PUT of an absent object creates it. */
  readonly createsOnUpdate: (resource: ServedResource) => boolean;
  /** An object about to be created: without status, with what its kind fills in. */
  readonly prepareCreate: (resource: ServedResource, object: ApiObject, warn: Warn) => ApiObject;
  /** An object about to be updated: what its kind puts back. */
  readonly prepareUpdate: (
    resource: ServedResource,
    object: ApiObject,
    before: ApiObject,
    warn: Warn,
  ) => ApiObject;
  /** Faults that no schema tells: immutable fields, names. */
  readonly faults: (
    resource: ServedResource,
    object: ApiObject,
    before: ApiObject | undefined,
  ) => readonly FieldError[];
  /** The object with what only the server gives out: addresses, ports. */
  readonly allocate: (resource: ServedResource, object: ApiObject) => ApiObject;
}
