import { Namespace } from "../../shared/api/kinds.ts";
import { type Kind, keyOf } from "../../shared/api/object.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import type { Transport } from "../../shared/kube/wire.ts";
import type { GarbageGraph } from "../kube/garbage-graph.ts";

export interface EmptyNamespaceOptions {
  readonly client: KubeClient;
  readonly transport: Transport;
  readonly graph: GarbageGraph<Kind>;
}

/** The finalizer in a namespace's spec that stands for its content. */
const CONTENT = "kubernetes";

/** Empties a namespace that terminates, and lets it go once nothing is in it. */
export async function emptyNamespace(
  { client, transport, graph }: EmptyNamespaceOptions,
  name: string,
): Promise<void> {
  const namespace = await client.get(Namespace, { namespace: "", name });
  if (namespace?.metadata.deletionTimestamp === undefined) return;
  const left = [...graph.all()].filter(({ object }) => object.metadata.namespace === name);
  for (const { resource, object } of left) {
    const { uid, deletionTimestamp } = object.metadata;
    if (deletionTimestamp !== undefined) continue;
    await client.delete(resource, keyOf(object), { uid, propagation: "Background" });
  }
  if (left.length > 0) return;
  const { finalizers = [] } = namespace.spec ?? {};
  const kept = finalizers.filter((each) => each !== CONTENT);
  if (kept.length === finalizers.length) return;
  const body = { ...namespace, spec: { ...namespace.spec, finalizers: kept } };
  await transport.request({ method: "PUT", path: `/api/v1/namespaces/${name}/finalize`, body });
}
