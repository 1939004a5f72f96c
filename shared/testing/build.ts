import type { Kind, KubernetesObject, ObjectMeta } from "../api/object.ts";
import { ownerReferenceTo } from "../worker/owner-reference.ts";

/** What a test says of an object: all but what follows from the kind; of metadata the name at least. */
export type Built<T extends KubernetesObject> = Omit<T, "apiVersion" | "kind" | "metadata"> & {
  readonly metadata: Partial<ObjectMeta> & Pick<ObjectMeta, "name">;
};

/**
 * An object as the API server would answer it, for tests of functions that take one and need no
 * cluster. The same fields give the same object: metadata that is not given is made up, of namespace
 * `default`, generation 1 and a uid that follows from kind, namespace and name. Nothing is checked,
 * and no default of a schema is filled in.
 */
export function build<T extends KubernetesObject>(kind: Kind<T>, fields: Built<T>): T {
  const { metadata, ...rest } = fields;
  const namespaced = kind.scope === "Namespaced" ? { namespace: "default" } : {};
  const { namespace = namespaced.namespace ?? "", name } = metadata;
  const made = {
    ...namespaced,
    uid: [kind.kind.toLowerCase(), namespace, name].filter((part) => part !== "").join("-"),
    resourceVersion: "1",
    generation: 1,
    creationTimestamp: "2026-01-01T00:00:00Z",
  };
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    ...rest,
    metadata: { ...made, ...metadata },
  } as unknown as T;
}

/**
 * The object while it waits for its finalizers. Throws where it has none, and none is given: such an
 * object is gone at once.
 */
export function deleting<T extends KubernetesObject>(object: T, ...finalizers: string[]): T {
  const { metadata } = object;
  const all = [...new Set([...(metadata.finalizers ?? []), ...finalizers])];
  if (all.length === 0) {
    throw new Error(
      `cannot build ${object.kind} ${metadata.name} in deletion: expected a finalizer, got none; name one`,
    );
  }
  const deletionTimestamp = metadata.deletionTimestamp ?? "2026-01-01T00:01:00Z";
  return { ...object, metadata: { ...metadata, finalizers: all, deletionTimestamp } };
}

/** The object with the other one as its controlling owner, in place of one that it had. */
export function ownedBy<T extends KubernetesObject>(object: T, owner: KubernetesObject): T {
  const { metadata } = object;
  const others = (metadata.ownerReferences ?? []).filter(({ controller }) => !controller);
  const ownerReferences = [...others, ownerReferenceTo(owner)];
  return { ...object, metadata: { ...metadata, ownerReferences } };
}
