import { Namespace } from "../../shared/api/kinds.ts";
import { groupOf, type Kind, keyOf } from "../../shared/api/object.ts";
import type { Clock } from "../../shared/clock.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import type { Transport } from "../../shared/kube/wire.ts";
import type { GarbageGraph } from "../kube/garbage-graph.ts";
import { remainsTold } from "../kube/namespace-report.ts";
import { MANAGER } from "../kube/workload-context.ts";

export interface EmptyNamespaceOptions {
  readonly client: KubeClient;
  readonly transport: Transport;
  readonly graph: GarbageGraph<Kind>;
  readonly clock: Clock;
}

/** The finalizer in a namespace's spec that stands for its content. */
const CONTENT = "kubernetes";

/** Empties a namespace that terminates, and lets it go once nothing is in it. */
export async function emptyNamespace(options: EmptyNamespaceOptions, name: string): Promise<void> {
  const { client, transport } = options;
  const namespace = await client.get(Namespace, { namespace: "", name });
  if (namespace?.metadata.deletionTimestamp === undefined) return;
  const left = contentOf(options, name);
  for (const { resource, object } of left) {
    const { uid, deletionTimestamp } = object.metadata;
    if (deletionTimestamp !== undefined) continue;
    await client.delete(resource, keyOf(object), { uid, propagation: "Background" });
  }
  if (left.length > 0) return await report(options, namespace);
  const { finalizers = [] } = namespace.spec ?? {};
  const kept = finalizers.filter((each) => each !== CONTENT);
  if (kept.length === finalizers.length) return;
  const body = { ...namespace, spec: { ...namespace.spec, finalizers: kept } };
  await transport.request({ method: "PUT", path: `/api/v1/namespaces/${name}/finalize`, body });
}

function contentOf({ graph }: EmptyNamespaceOptions, name: string) {
  return [...graph.all()].filter(({ object }) => object.metadata.namespace === name);
}

/** Says in the status what is left, and what holds it. */
async function report(options: EmptyNamespaceOptions, namespace: Namespace): Promise<void> {
  const objects = new Map<string, number>();
  const finalizers = new Map<string, number>();
  const count = (counts: Map<string, number>, key: string) =>
    counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { resource, object } of contentOf(options, namespace.metadata.name)) {
    count(objects, `${resource.plural}.${groupOf(resource.apiVersion)}`);
    for (const finalizer of object.metadata.finalizers ?? []) count(finalizers, finalizer);
  }
  const before = namespace.status?.conditions;
  const conditions = remainsTold(before, { objects, finalizers }, options.clock.nowMs());
  if (!conditions) return;
  const patch = { type: "merge", patch: { status: { conditions } } } as const;
  const how = { fieldManager: MANAGER, subresource: "status" };
  await options.client.patch(Namespace, keyOf(namespace), patch, how);
}
