import { type Kind, keyOf, type OwnerReference } from "../../shared/api/object.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import type { ApiObject } from "../kube/api-object.ts";
import type { Json } from "../kube/fields-value.ts";
import { type GarbageGraph, type GraphNode, ownersOf } from "../kube/garbage-graph.ts";
import { GarbageRules } from "../kube/garbage-rules.ts";
import { MANAGER } from "../kube/workload-context.ts";

export interface GarbageCollectionOptions {
  readonly client: KubeClient;
  readonly graph: GarbageGraph<Kind>;
  /** A kind that is followed. */
  readonly find: (apiVersion: string, kind: string) => Kind | undefined;
  /** Follows the kind of an owner that nobody named; resolves to undefined where it is not served. */
  readonly learn: (owner: OwnerReference) => Promise<Kind | undefined>;
}

/** Whether the object was attended to, or is to be looked at again in a while. */
export type Attended = "done" | "later";

/**
 * The garbage collector over the API: attends to one object by uid. What the watches have not told yet
 * is asked for, so that an owner that is new is not taken for one that is gone.
 */
export function garbageCollection(
  options: GarbageCollectionOptions,
): (uid: string) => Promise<Attended> {
  const { client, graph, find } = options;
  const writes: Promise<unknown>[] = [];
  const rules = new GarbageRules(graph, {
    namespaced: (apiVersion, kind) => {
      const found = find(apiVersion, kind);
      return found && found.scope === "Namespaced";
    },
    remove: ({ resource, object }, propagation) => {
      const { uid } = object.metadata;
      writes.push(client.delete(resource, keyOf(object), { uid, propagation }));
    },
    change: (node, metadata) => void writes.push(writeMetadata(client, node, metadata)),
  });
  return async (uid) => {
    const object = graph.get(uid)?.object;
    if (object && !(await ownersKnown(options, object))) return "later";
    rules.attend(uid);
    await Promise.all(writes.splice(0));
    return "done";
  };
}

/** Conditional on the version that is known, so that nothing of others is lost. */
async function writeMetadata(
  client: KubeClient,
  { resource, object }: GraphNode<Kind>,
  change: (metadata: Json) => Json,
): Promise<void> {
  const { uid, resourceVersion } = object.metadata;
  const { finalizers = null, ownerReferences = null } = change(object.metadata as unknown as Json);
  const metadata = { uid, resourceVersion, finalizers, ownerReferences };
  const patch = { type: "merge", patch: { metadata } } as const;
  await client.patch(resource, keyOf(object), patch, { fieldManager: MANAGER });
}

async function ownersKnown(
  { client, graph, find, learn }: GarbageCollectionOptions,
  object: ApiObject,
): Promise<boolean> {
  for (const owner of ownersOf(object)) {
    if (graph.get(owner.uid)) continue;
    const kind = find(owner.apiVersion, owner.kind) ?? (await learn(owner));
    if (!kind) continue;
    const namespace = kind.scope === "Cluster" ? "" : (object.metadata.namespace ?? "");
    const live = await client.get(kind, { namespace, name: owner.name });
    if (live?.metadata.uid === owner.uid) return false;
  }
  return true;
}
