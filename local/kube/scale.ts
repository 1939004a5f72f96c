import type { ApiObject } from "./api-object.ts";
import type { Json } from "./fields-value.ts";
import type { ServedResource } from "./served-resource.ts";

/** The subresource `scale`: a view of the object, of the kind Scale of autoscaling/v1. */
export interface ScaleCodec {
  readonly scaleOf: (resource: ServedResource, object: ApiObject) => ApiObject;
  /** As `scaleOf` for a GET. Throws ApiError 500, as the API server does, where a custom object has no number. */
  readonly readScale: (resource: ServedResource, object: ApiObject) => object;
  /** The Scale of a body. Throws ApiError 400. */
  readonly bodyOf: (body: string, name: string) => Json;
  /** The object with what a Scale says. Throws ApiError 400 or 422. */
  readonly scaled: (resource: ServedResource, live: ApiObject, scale: Json) => Json;
  /** What applying a Scale applies to its object. Throws ApiError 400 or 422. */
  readonly appliedParent: (resource: ServedResource, name: string, scale: Json) => ApiObject;
}
