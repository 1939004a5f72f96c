import type { Kind, KubernetesObject } from "./object.ts";

/** What a reconciler may do with objects of a kind beyond those it reconciles and owns. */
export type Verb = "get" | "list" | "create" | "update" | "patch" | "delete";

/** A grant: these verbs on this kind. The role of the function is derived from it. */
export interface Use<out T extends KubernetesObject = KubernetesObject, out V extends Verb = Verb> {
  readonly kind: Kind<T>;
  readonly verbs: readonly V[];
}

/** An entry of `uses`: `use(Secret, "get")`. */
export function use<T extends KubernetesObject, const V extends Verb>(
  kind: Kind<T>,
  ...verbs: readonly [V, ...V[]]
): Use<T, V> {
  return { kind, verbs };
}

/** The objects on which the grants `U` allow the verb `V`. */
export type With<U, V extends Verb> =
  U extends Use<infer T, infer W> ? (V extends W ? T : never) : never;
