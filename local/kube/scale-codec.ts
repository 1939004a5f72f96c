import type { ApiObject } from "./api-object.ts";
import { isMap, type Json } from "./fields-value.ts";
import { badRequest } from "./registry-errors.ts";
import type { ScaleCodec } from "./scale.ts";
import type { ServedResource } from "./served-resource.ts";

/** The codec of the subresource `scale`, by the paths that the resource names. */
export function createScaleCodec(): ScaleCodec {
  return { scaleOf, bodyOf, scaled };
}

function scaleOf({ subresources }: ServedResource, object: ApiObject): object {
  const paths = subresources.scale;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const at = (path: string | undefined) => (path === undefined ? undefined : valueAt(object, path));
  const selector = at(paths?.labelSelectorPath);
  const replicas = at(paths?.specReplicasPath);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas === undefined ? {} : { replicas },
    status: {
      replicas: at(paths?.statusReplicasPath) ?? 0,
      ...(selector !== undefined && { selector: selectorText(selector) }),
    },
  };
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

function scaled({ subresources }: ServedResource, live: ApiObject, scale: Json): Json {
  const path = subresources.scale?.specReplicasPath ?? ".spec.replicas";
  const spec = isMap(scale.spec) ? scale.spec : {};
  const metadata = isMap(scale.metadata) ? scale.metadata : {};
  const { resourceVersion = "" } = metadata;
  const versioned = { ...live, metadata: { ...live.metadata, resourceVersion } };
  return withValue(versioned as unknown as Json, partsOf(path), spec.replicas ?? 0);
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
