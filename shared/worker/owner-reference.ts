import {
  groupKindOf,
  type Key,
  type Kind,
  type KubernetesObject,
  type OwnerReference,
} from "../api/object.ts";
import { TerminalError } from "../api/result.ts";

/** Set on objects that are applied without an owner reference, so that they can be told from foreign ones. */
export const CONTROLLER_LABEL = "tidegate.dev/controller";

/** The reference by which the object is collected with its owner, and by which its changes wake the owner. */
export function ownerReferenceTo({ apiVersion, kind, metadata }: KubernetesObject): OwnerReference {
  const { name, uid } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/**
 * Fails where the garbage collector would not find the owner, and delete the object: a namespaced
 * owner must be in the object's own namespace.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/
 */
export function checkOwnerScope(owner: KubernetesObject, kind: Kind, key: Key): void {
  const from = owner.metadata.namespace ?? "";
  if (from === "") return;
  const what = `cannot apply ${kind.kind} ${key.namespace}/${key.name}: expected`;
  const out = "pass { owner: false } and delete it in finalize";
  if (kind.scope === "Cluster") {
    throw new TerminalError(
      `${what} a namespaced object, for its owner ${owner.kind} ${from}/${owner.metadata.name} is namespaced, got a cluster-scoped one; ${out}`,
    );
  }
  if (key.namespace !== from) {
    throw new TerminalError(
      `${what} namespace ${from} of its owner ${owner.kind} ${owner.metadata.name}, got namespace ${key.namespace}; ${out}`,
    );
  }
}

/**
 * Fails unless the live object may be applied: it is the owner's own (or, without an owner, bears
 * this controller's label), or may be adopted. One that another object controls is never adopted:
 * an object has one controlling owner.
 */
export function checkOwnership(
  live: KubernetesObject,
  owner: KubernetesObject,
  { adopt, owned, controller }: { adopt: boolean; owned: boolean; controller: string },
): void {
  const { namespace, name, labels, ownerReferences = [] } = live.metadata;
  const what = `cannot apply ${live.kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
  const ruler = ownerReferences.find((reference) => reference.controller);
  if (ruler?.uid === owner.metadata.uid) return;
  if (ruler && ruler.name === owner.metadata.name && groupKindOf(ruler) === groupKindOf(owner)) {
    // Not for good: the garbage collector takes it.
    throw new Error(
      `${what}: expected it to belong to ${owner.kind} ${owner.metadata.name}, got one of an earlier object of that name; it is tried again until that is collected`,
    );
  }
  if (ruler && (owned || !adopt)) {
    throw new TerminalError(
      `${what}: expected it to belong to ${owner.kind} ${owner.metadata.name}, got one controlled by ${ruler.kind} ${ruler.name}; choose another name`,
    );
  }
  if (adopt || (!owned && labels?.[CONTROLLER_LABEL] === controller)) return;
  throw new TerminalError(
    `${what}: expected an object that this controller made, got a foreign one; choose another name, or pass { adopt: true } to take it over`,
  );
}
