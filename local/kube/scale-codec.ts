import { ApiError } from "./api-error.ts";
import type { ApiMeta, ApiObject } from "./api-object.ts";
import { isMap, type Json } from "./fields-value.ts";
import { badRequest, invalid } from "./registry-errors.ts";
import type { ScaleCodec } from "./scale.ts";
import { invalid as invalidValue } from "./schema-errors.ts";
import type { ServedResource } from "./served-resource.ts";

/** The codec of the subresource `scale`, by the paths that the resource names. */
export function createScaleCodec(): ScaleCodec {
  return { scaleOf, readScale, bodyOf, scaled, appliedParent };
}

const SCALE = { group: "autoscaling", plural: "scales", kind: "Scale" };

function scaleOf({ subresources }: ServedResource, object: ApiObject): ApiObject {
  const paths = subresources.scale;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const at = (path: string | undefined) => (path === undefined ? undefined : valueAt(object, path));
  const selector = at(paths?.labelSelectorPath);
  const replicas = at(paths?.specReplicasPath);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as ApiMeta,
    spec: replicas === undefined || replicas === 0 ? {} : { replicas },
    status: {
      replicas: at(paths?.statusReplicasPath) ?? 0,
      ...(selector !== undefined && { selector: selectorText(selector) }),
    },
  };
}

function readScale(resource: ServedResource, object: ApiObject): object {
  const path = resource.subresources.scale?.specReplicasPath ?? "";
  if (resource.custom && valueAt(object, path) === undefined) {
    const message = `the spec replicas field ${JSON.stringify(path)} does not exist`;
    throw new ApiError({
      code: 500,
      reason: "InternalError",
      message: `Internal error occurred: ${message}`,
      details: { causes: [{ message }] },
    });
  }
  return scaleOf(resource, object);
}

function bodyOf(body: string, name: string): Json {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw badRequest("the object provided is unrecognized (must be of type Scale)");
  }
  if (!isMap(parsed))
    throw badRequest("the object provided is unrecognized (must be of type Scale)");
  const metadata = isMap(parsed.metadata) ? parsed.metadata : {};
  if (metadata.name !== name) {
    throw badRequest(
      `the name of the object (${String(metadata.name)}) does not match the name on the URL (${name})`,
    );
  }
  return parsed;
}

function scaled(resource: ServedResource, live: ApiObject, scale: Json): Json {
  const metadata = isMap(scale.metadata) ? scale.metadata : {};
  const { resourceVersion = "" } = metadata;
  const versioned = { ...live, metadata: { ...live.metadata, resourceVersion } };
  const replicas = replicasOf(resource, live.metadata.name, scale);
  return withValue(versioned, replicasPath(resource), replicas);
}

/** The number that a Scale asks for. Throws ApiError 400 or 422. */
function replicasOf(resource: ServedResource, name: string, scale: Json): number {
  const { replicas = 0 } = isMap(scale.spec) ? scale.spec : {};
  if (typeof replicas !== "number" || !Number.isInteger(replicas) || replicas >= 2 ** 31) {
    const got = typeof replicas === "number" ? `number ${replicas}` : typeof replicas;
    throw badRequest(
      `Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal ${got} into Go struct field ScaleSpec.spec.replicas of type int32`,
    );
  }
  if (replicas >= 0) return replicas;
  const { specReplicasPath = ".spec.replicas" } = resource.subresources.scale ?? {};
  throw resource.custom
    ? invalid(resource, name, [
        invalidValue(specReplicasPath, replicas, "should be a non-negative integer"),
      ])
    : invalid(SCALE, name, [
        invalidValue("spec.replicas", replicas, "must be greater than or equal to 0"),
      ]);
}

function appliedParent(resource: ServedResource, name: string, scale: Json): ApiObject {
  if (scale.apiVersion !== "autoscaling/v1" || scale.kind !== "Scale") {
    const { apiVersion = "/", kind = "" } = scale;
    throw badRequest(`invalid object type: ${String(apiVersion)}, Kind=${String(kind)}`);
  }
  const { group, version, kind } = resource;
  const metadata = isMap(scale.metadata) ? scale.metadata : {};
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const parent: Json = { apiVersion, kind, metadata };
  const spec = isMap(scale.spec) ? scale.spec : {};
  if (spec.replicas === undefined) return parent as unknown as ApiObject;
  const replicas = replicasOf(resource, name, scale);
  return withValue(parent, replicasPath(resource), replicas) as unknown as ApiObject;
}

function replicasPath({ subresources }: ServedResource): readonly string[] {
  return partsOf(subresources.scale?.specReplicasPath ?? ".spec.replicas");
}

function partsOf(path: string): readonly string[] {
  return path.split(".").filter((part) => part !== "");
}

function valueAt(object: ApiObject, path: string): unknown {
  let at: unknown = object;
  for (const part of partsOf(path)) at = isMap(at) ? at[part] : undefined;
  return at;
}

function withValue(object: Json, [first = "", ...rest]: readonly string[], value: unknown): Json {
  if (rest.length === 0) return { ...object, [first]: value };
  const inner = isMap(object[first]) ? object[first] : {};
  return { ...object, [first]: withValue(inner, rest, value) };
}

/** A label selector object as text; custom resources have it as text already. */
function selectorText(selector: unknown): string {
  if (!isMap(selector)) return String(selector);
  const labels = isMap(selector.matchLabels) ? selector.matchLabels : {};
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .sort()
    .join(",");
}
