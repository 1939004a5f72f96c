/** The metadata of an object as the API server answers it. Times are strings (RFC 3339), for JSON has no dates. */
export interface ObjectMeta {
  readonly name: string;
  /** Absent on cluster-scoped objects. */
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Raised by the API server when the spec changes; kinds such as ConfigMap have none. */
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly generateName?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Any object of the Kubernetes API. The literal types tell kinds of equal shape apart. */
export interface KubernetesObject<A extends string = string, K extends string = string> {
  readonly apiVersion: A;
  readonly kind: K;
  readonly metadata: ObjectMeta;
}

/** The annotation in which `kubectl apply` keeps the whole object as it was applied. */
export const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** Names one object of a kind. `namespace` is "" for cluster-scoped objects. */
export interface Key {
  readonly namespace: string;
  readonly name: string;
}

/** The key of an object. */
export function keyOf({ metadata }: { readonly metadata: ObjectMeta }): Key {
  return { namespace: metadata.namespace ?? "", name: metadata.name };
}

/** A kind of object: what a definition names, and what carries the object's type. */
export interface Kind<T extends KubernetesObject = KubernetesObject> {
  readonly apiVersion: T["apiVersion"];
  readonly kind: T["kind"];
  /** Lower case, as in the paths of the API ("websites"). */
  readonly plural: string;
  readonly scope: "Namespaced" | "Cluster";
  /** Never set: carries the type of the objects. */
  readonly object?: T;
}

/** Group and kind, which identify a kind across its versions ("apps/Deployment", "/ConfigMap"). */
export function groupKindOf({ apiVersion, kind }: { apiVersion: string; kind: string }): string {
  return `${groupOf(apiVersion)}/${kind}`;
}

/** The group of an apiVersion; "" for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

/** Whether a kind is a custom resource: its group has a domain, and is not one of Kubernetes' own. */
export function customKind({ apiVersion }: { readonly apiVersion: string }): boolean {
  const group = groupOf(apiVersion);
  return group.includes(".") && !group.endsWith(".k8s.io");
}

/**
 * The value of a kind that is not built in: one of your own, or of somebody else's
 * CustomResourceDefinition.
 *
 * Fails at once when plural, kind or apiVersion cannot be what an API server serves.
 */
export function defineKind<T extends KubernetesObject>(kind: Kind<T>): Kind<T> {
  const where = `kind ${kind.kind} of ${kind.apiVersion}`;
  if (!/^([a-z0-9.-]+\/)?v[a-z0-9]+$/.test(kind.apiVersion)) {
    throw new Error(
      `cannot define ${where}: expected apiVersion "group/version", got "${kind.apiVersion}"`,
    );
  }
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind.kind)) {
    throw new Error(`cannot define ${where}: expected kind in PascalCase, got "${kind.kind}"`);
  }
  if (!/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(kind.plural)) {
    throw new Error(`cannot define ${where}: expected plural in lower case, got "${kind.plural}"`);
  }
  return kind;
}
