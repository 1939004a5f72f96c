import type { Kind, KubernetesObject } from "./object.ts";

/** What a reconciler may do with objects of a kind beyond what their place in the definition allows. */
export type Verb = "get" | "list" | "create" | "update" | "patch" | "delete";

/** What it may do with a subresource. */
export type SubresourceVerb = "get" | "create" | "update" | "patch";

/** `use` takes verbs; the kinds of `applies` may be applied, too. */
type Grant = Verb | "apply";

/**
 * A grant: these verbs on this kind, or on a subresource of it. The role of the function is derived
 * from it. `S` is "" for the objects themselves.
 */
export interface Use<
  out T extends KubernetesObject = KubernetesObject,
  out V extends Grant = Grant,
  out S extends string = string,
> {
  readonly kind: Kind<T>;
  readonly verbs: readonly V[];
  /** "status", "scale", ... */
  readonly subresource?: S;
}

/** An entry of `uses`: `use(Secret, "get")`. */
export function use<T extends KubernetesObject, const V extends Verb>(
  kind: Kind<T>,
  ...verbs: readonly [V, ...V[]]
): Use<T, V, ""> {
  return { kind, verbs };
}

/**
 * An entry of `uses` for a subresource: `useSubresource(Deployment, "scale", "get", "patch")`. No
 * other grant covers it, as in a role, where "deployments/scale" is not part of "deployments".
 */
export function useSubresource<
  T extends KubernetesObject,
  const S extends string,
  const V extends SubresourceVerb,
>(kind: Kind<T>, subresource: S, ...verbs: readonly [V, ...V[]]): Use<T, V, S> {
  if (!/^[a-z]+$/.test(subresource)) {
    throw new Error(
      `cannot use a subresource of ${kind.kind}: expected a name such as "scale", got "${subresource}"`,
    );
  }
  return { kind, verbs, subresource };
}

/** The objects on which the grants `U` allow the verb `V`. */
export type With<U, V extends Grant> =
  U extends Use<infer T, infer W, infer S>
    ? V extends W
      ? "" extends S
        ? T
        : never
      : never
    : never;

/** The objects of which the grants `U` name a subresource. */
export type WithSubresource<U> =
  U extends Use<infer T, Grant, infer S> ? ([Exclude<S, "">] extends [never] ? never : T) : never;

/** The subresources of `T` that the grants `U` name. */
export type SubresourceOf<U, T> =
  U extends Use<infer X, Grant, infer S> ? (T extends X ? Exclude<S, ""> : never) : never;

/** The verbs that the grants `U` allow on the subresource `S` of `T`. */
export type SubresourceVerbsOf<U, T, S> =
  U extends Use<infer X, infer V, infer Y>
    ? T extends X
      ? S extends Y
        ? Extract<V, SubresourceVerb>
        : never
      : never
    : never;
