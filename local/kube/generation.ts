import type { ApiObject } from "./api-object.ts";
import { sameJson } from "./fields-equal.ts";
import type { ServedResource } from "./served-resource.ts";

/** Built-in kinds whose generation the server sets to 1 and raises with the spec. */
const BY_SPEC = new Set([
  "/Pod",
  "apps/Deployment",
  "apps/ReplicaSet",
  "apps/StatefulSet",
  "apps/DaemonSet",
  "batch/Job",
  "batch/CronJob",
  "autoscaling/HorizontalPodAutoscaler",
  "networking.k8s.io/Ingress",
  "networking.k8s.io/IngressClass",
  "networking.k8s.io/NetworkPolicy",
  "policy/PodDisruptionBudget",
  "apiextensions.k8s.io/CustomResourceDefinition",
  "flowcontrol.apiserver.k8s.io/FlowSchema",
  "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration",
]);

/** Kinds whose generation follows all but their metadata, and their labels. */
const BY_CONTENT = new Set(["discovery.k8s.io/EndpointSlice"]);

/** Kinds whose generation stays at 1. */
const CONSTANT = new Set(["scheduling.k8s.io/PriorityClass"]);

/** Kinds of which annotations count, too. */
const BY_ANNOTATIONS = new Set(["apps/Deployment"]);

/** The generation of a new object; kinds without one keep what was asked for. */
export function firstGeneration(
  resource: ServedResource,
  asked: number | undefined,
): number | undefined {
  const id = idOf(resource);
  return resource.custom || BY_SPEC.has(id) || BY_CONTENT.has(id) || CONSTANT.has(id) ? 1 : asked;
}

/** The generation after an update of the main path: raised by one when what it stands for changed. */
export function nextGeneration(
  resource: ServedResource,
  before: ApiObject,
  after: ApiObject,
): number | undefined {
  const { generation } = before.metadata;
  const id = idOf(resource);
  if (!resource.custom && !BY_SPEC.has(id) && !BY_CONTENT.has(id)) return generation;
  return changed(resource, before, after) ? (generation ?? 0) + 1 : generation;
}

function changed(resource: ServedResource, before: ApiObject, after: ApiObject): boolean {
  if (resource.custom) return !sameJson(content(resource, before), content(resource, after));
  if (BY_CONTENT.has(idOf(resource))) {
    const same = sameJson(content(resource, before), content(resource, after));
    return !same || !sameJson(before.metadata.labels ?? {}, after.metadata.labels ?? {});
  }
  if (!sameJson(before.spec, after.spec)) return true;
  const { annotations: was } = before.metadata;
  const { annotations: is } = after.metadata;
  return BY_ANNOTATIONS.has(idOf(resource)) && !sameJson(was ?? {}, is ?? {});
}

/** All but metadata, and the status where that has a path of its own. */
function content({ subresources }: ServedResource, object: ApiObject): object {
  const { metadata: _, apiVersion: __, ...rest } = object;
  if (!subresources.status) return rest;
  const { status: ___, ...without } = rest;
  return without;
}

function idOf({ group, kind }: ServedResource): string {
  return `${group}/${kind}`;
}
