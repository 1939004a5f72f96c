import { type KubeConnection, kubeRequest } from "../../local/kube-apiserver/kube-request.ts";
import type { Kind } from "../../shared/api/object.ts";
import { systemClock } from "../../shared/clock.ts";

/** Makes the CustomResourceDefinition of a test's kind, and waits until the server serves it. */
export async function defineServedKind(
  kube: KubeConnection,
  kind: Kind,
  { generation, status }: { generation: boolean; status: boolean },
) {
  const observed = generation ? { observedGeneration: { type: "integer" } } : {};
  const text = { type: "string" };
  const condition = {
    type: text,
    status: text,
    reason: text,
    message: text,
    lastTransitionTime: text,
  };
  const schema = {
    type: "object",
    properties: {
      spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      status: {
        type: "object",
        properties: {
          ...observed,
          replicas: { type: "integer" },
          note: text,
          conditions: {
            type: "array",
            items: {
              type: "object",
              properties: { ...condition, ...observed },
              required: ["type"],
            },
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["type"],
          },
        },
      },
    },
  };
  const version = {
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schema },
    ...(status && { subresources: { status: {} } }),
  };
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const name = `${kind.plural}.web.example.com`;
  const body = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name },
    spec: {
      group: "web.example.com",
      names: { kind: kind.kind, plural: kind.plural, singular: kind.kind.toLowerCase() },
      scope: "Namespaced",
      versions: [version],
    },
  };
  const made = await kubeRequest(kube, { method: "POST", path, body });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  for (let served = false; !served; ) {
    const list = await kubeRequest(kube, { path: `/apis/web.example.com/v1/${kind.plural}` });
    served = list.status === 200;
    if (!served) await systemClock.sleep(50);
  }
}
