import type { Transport } from "../../shared/kube/wire.ts";
import { createNamespace, sendAll } from "./kube-load.ts";

/** ConfigMaps "config-0" and so on, each with the label that config-digest asks for. */
export interface ConfigMaps {
  readonly namespace: string;
  readonly count: number;
}

export async function createConfigMaps(transport: Transport, objects: ConfigMaps): Promise<void> {
  const { namespace, count } = objects;
  await createNamespace(transport, namespace);
  await sendAll(transport, count, (index) => ({
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/configmaps`,
    body: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: `config-${index}`, labels: { "digest.example.com/enabled": "true" } },
      data: { colour: "blue", index: String(index) },
    },
  }));
}
