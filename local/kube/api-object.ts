import type { ObjectMeta } from "../../shared/api/object.ts";

/** An object as it is stored and answered: plain JSON. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApiMeta;
  readonly [field: string]: unknown;
}

export interface ApiMeta extends ObjectMeta {
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly time?: string;
  readonly fieldsType: "FieldsV1";
  readonly fieldsV1: object;
  readonly subresource?: string;
}
