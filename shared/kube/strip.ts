import { LAST_APPLIED } from "../api/object.ts";

/**
 * Takes out of an object just parsed what nobody should keep, log or hash: `managedFields`, which is
 * long, and kubectl's last-applied annotation, which holds the whole object, Secrets included.
 * Changes the object and returns it.
 */
export function stripped<T>(object: T): T {
  const metadata = metadataOf(object);
  if (!metadata) return object;
  delete metadata.managedFields;
  const { annotations } = metadata;
  if (annotations && LAST_APPLIED in annotations) {
    delete annotations[LAST_APPLIED];
    if (Object.keys(annotations).length === 0) delete metadata.annotations;
  }
  return object;
}

/** The metadata of what may be an object. */
export function metadataOf(object: unknown): LooseMetadata | undefined {
  if (object === null || typeof object !== "object" || !("metadata" in object)) return undefined;
  const { metadata } = object;
  return metadata !== null && typeof metadata === "object" ? metadata : undefined;
}

/** Metadata of which nothing is certain. */
export interface LooseMetadata {
  name?: unknown;
  uid?: unknown;
  resourceVersion?: unknown;
  managedFields?: unknown;
  annotations?: Record<string, unknown> | null;
}
