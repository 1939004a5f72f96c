import { fieldElement } from "./fields-element.ts";
import { below, difference, type FieldSet, recursiveDifference, setOf } from "./fields-set.ts";
import type { ServedResource } from "./served-resource.ts";

/** Nobody owns these. https://github.com/kubernetes/apimachinery/blob/master/pkg/util/managedfields/internal/stripmeta.go */
const NEVER_OWNED = [
  "apiVersion",
  "kind",
  "metadata",
  "metadata.name",
  "metadata.namespace",
  "metadata.creationTimestamp",
  "metadata.selfLink",
  "metadata.uid",
  "metadata.clusterName",
  "metadata.generation",
  "metadata.managedFields",
  "metadata.resourceVersion",
];

/** What a write to the status of a kind puts back, besides spec. */
const RESET_WITH_STATUS: Readonly<Record<string, readonly string[]>> = {
  "apps/Deployment": ["metadata.labels"],
  "/Pod": ["metadata.deletionTimestamp", "metadata.ownerReferences"],
  "flowcontrol.apiserver.k8s.io/FlowSchema": ["metadata"],
  "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration": ["metadata"],
};

const neverOwned = setOf(...NEVER_OWNED.map(pathOf));

export function withoutNeverOwned(set: FieldSet): FieldSet {
  return difference(set, neverOwned);
}

/**
 * The fields that a write can change: the server puts others back before it stores the object, so
 * they are not owned either. A write to the status changes all but spec, a write to the scale only
 * the replicas, another write all but status.
 */
export function writableFields(
  set: FieldSet,
  resource: ServedResource,
  subresource: string | undefined,
): FieldSet {
  if (subresource === "scale") return below(set, scalePath(resource));
  if (subresource !== undefined && subresource !== "" && subresource !== "status") return set;
  return recursiveDifference(set, setOf(...resetPaths(resource, subresource).map(pathOf)));
}

function resetPaths(resource: ServedResource, subresource: string | undefined): readonly string[] {
  if (!resource.subresources.status) return [];
  if (subresource !== "status") return ["status"];
  if (resource.custom) return ["spec", "metadata"];
  return ["spec", ...(RESET_WITH_STATUS[`${resource.group}/${resource.kind}`] ?? [])];
}

function scalePath(resource: ServedResource): string[] {
  const path = resource.subresources.scale?.specReplicasPath ?? ".spec.replicas";
  return pathOf(path.replace(/^\./u, ""));
}

function pathOf(text: string): string[] {
  return text.split(".").map(fieldElement);
}
