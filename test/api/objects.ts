import type { ConfigMap, Deployment, ObjectMeta, Service } from "tidegate";

const meta = (change: Partial<ObjectMeta> = {}): ObjectMeta => ({
  name: "shop",
  namespace: "default",
  uid: "u1",
  resourceVersion: "1",
  creationTimestamp: "2026-01-01T00:00:00Z",
  ...change,
});

/** A ConfigMap: a kind without a generation. */
export function config(change: Partial<ObjectMeta> = {}, data?: Record<string, string>): ConfigMap {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: meta(change) } as const;
  return data ? { ...object, data } : object;
}

export function deployment(change: Partial<ObjectMeta> = {}, replicas = 1): Deployment {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: meta({ generation: 1, ...change }),
    spec: {
      replicas,
      selector: { matchLabels: { app: "shop" } },
      template: { metadata: { labels: { app: "shop" } } },
    },
  };
}

export function service(clusterIP?: string): Service {
  const spec = clusterIP === undefined ? {} : { spec: { clusterIP } };
  return { apiVersion: "v1", kind: "Service", metadata: meta(), ...spec };
}
