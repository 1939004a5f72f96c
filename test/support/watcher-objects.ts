import type { KubernetesObject, OwnerReference } from "../../shared/api/object.ts";
import { defineKind } from "../../shared/api/object.ts";

/** A namespaced kind for tests of the watcher. */
export interface Widget extends KubernetesObject<"test.example.com/v1", "Widget"> {
  readonly spec?: {
    readonly size?: number;
    readonly uses?: readonly string[];
    readonly team?: string;
  };
  readonly status?: { readonly ready?: boolean };
}
export const Widget = defineKind<Widget>({
  apiVersion: "test.example.com/v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
});

/** A cluster-scoped kind. */
export interface Farm extends KubernetesObject<"test.example.com/v1", "Farm"> {
  readonly spec?: { readonly size?: number };
}
export const Farm = defineKind<Farm>({
  apiVersion: "test.example.com/v1",
  kind: "Farm",
  plural: "farms",
  scope: "Cluster",
});

export function widget(name: string, spec: Widget["spec"] = { size: 1 }, more: object = {}) {
  return {
    apiVersion: "test.example.com/v1" as const,
    kind: "Widget" as const,
    metadata: { namespace: "a", name, ...more },
    spec,
  };
}

export function configMap(name: string, data: Record<string, string> = {}, more: object = {}) {
  return {
    apiVersion: "v1" as const,
    kind: "ConfigMap" as const,
    metadata: { namespace: "a", name, ...more },
    data,
  };
}

/** The reference of a child to its controlling owner. */
export function ownedBy(owner: KubernetesObject, change: Partial<OwnerReference> = {}) {
  const { apiVersion, kind, metadata } = owner;
  const { name, uid } = metadata;
  return { ownerReferences: [{ apiVersion, kind, name, uid, controller: true, ...change }] };
}
