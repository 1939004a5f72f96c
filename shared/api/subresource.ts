import type { KubernetesObject } from "./object.ts";

/** How many pods an object asks for, and has: the subresource "scale" of every kind that has one. */
export interface Scale extends KubernetesObject<"autoscaling/v1", "Scale"> {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas: number; readonly selector?: string };
}

/** Asks for the end of a pod, which a disruption budget may refuse with 429: "eviction" of Pod. */
export interface Eviction extends KubernetesObject<"policy/v1", "Eviction"> {
  readonly deleteOptions?: { readonly gracePeriodSeconds?: number };
}

/** Asks for a token of a service account: "token" of ServiceAccount. */
export interface TokenRequest extends KubernetesObject<"authentication.k8s.io/v1", "TokenRequest"> {
  readonly spec: { readonly audiences: readonly string[]; readonly expirationSeconds?: number };
  readonly status?: { readonly token: string; readonly expirationTimestamp: string };
}

interface Bodies {
  readonly scale: Scale;
  readonly eviction: Eviction;
  readonly token: TokenRequest;
}

/** The object that stands for a subresource: one of its own, or (as for "status") the whole object. */
export type BodyOf<T extends KubernetesObject, S extends string> = S extends keyof Bodies
  ? Bodies[S]
  : T;

/** What `create` sends: apiVersion, kind and name are filled in. */
export type NewBody<B> = Omit<B, "apiVersion" | "kind" | "metadata" | "status">;
