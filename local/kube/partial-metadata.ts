import { ApiError } from "./api-error.ts";
import type { ApiMeta, ApiObject } from "./api-object.ts";
import type { ListedObjects } from "./list-objects.ts";

/** An object without all that is not metadata. */
export interface PartialObjectMetadata {
  readonly kind: "PartialObjectMetadata";
  readonly apiVersion: string;
  readonly metadata: ApiMeta;
}

const known = new Map<string, WeakMap<object, PartialObjectMetadata>>();

/**
 * Answers the same for the same object, so that its JSON is made once.
 *
 * @param version Of meta.k8s.io: "v1" or "v1beta1".
 */
export function partialMetadata(object: ApiObject, version: string): PartialObjectMetadata {
  const ofVersion = known.get(version) ?? new WeakMap<object, PartialObjectMetadata>();
  known.set(version, ofVersion);
  const partial = ofVersion.get(object) ?? partialOf(object.metadata, version);
  ofVersion.set(object, partial);
  return partial;
}

export function partialMetadataList({ metadata, items }: ListedObjects, version: string) {
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    items: items.map((object) => partialMetadata(object, version)),
  };
}

/** 406: an object was asked for as a list, or a list as an object. */
export function wrongPartial(as: string, found: "object" | "list", type: string): ApiError {
  const text = found === "list" ? "is a list" : "is not a list";
  return new ApiError({
    code: 406,
    reason: "NotAcceptable",
    message: `you requested ${as}, but the requested object ${text} (${type})`,
  });
}

function partialOf(metadata: ApiMeta, version: string): PartialObjectMetadata {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${version}`, metadata };
}
