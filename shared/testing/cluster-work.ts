import type { KubernetesObject, OwnerReference } from "../api/object.ts";
import { objectPath } from "../kube/paths.ts";
import type { Transport } from "../kube/wire.ts";
import { findKind } from "./manifests.ts";

/**
 * What controllers of the cluster still have to do with these objects: bring a workload to life,
 * collect garbage, let go what is deleted. Undefined where there is nothing. Finalizers of others
 * are nobody's to wait for.
 */
export async function clusterWork(
  transport: Transport,
  paths: Iterable<string>,
): Promise<string | undefined> {
  const found = await Promise.all([...paths].map((path) => workAt(transport, path)));
  return found.find((work) => work !== undefined);
}

async function workAt(transport: Transport, path: string): Promise<string | undefined> {
  const { status, body } = await transport.request({ method: "GET", path });
  if (status !== 200) return undefined;
  const object = body as Workload;
  if (rollsOut(object)) return `${path} rolls out`;
  if (goes(object)) return `${path} is deleted`;
  if (await isGarbage(transport, object)) return `${path} is garbage`;
  return undefined;
}

interface Workload extends KubernetesObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly observedGeneration?: number; readonly readyReplicas?: number };
}

const WORKLOADS = new Set(["Deployment", "ReplicaSet", "StatefulSet"]);
/** Finalizers that the cluster sees to. */
const CLUSTERS_OWN = new Set(["foregroundDeletion", "orphan"]);

function rollsOut({ apiVersion, kind, metadata, spec, status }: Workload): boolean {
  if (apiVersion !== "apps/v1" || !WORKLOADS.has(kind)) return false;
  const seen = status?.observedGeneration === metadata.generation;
  return !seen || (status?.readyReplicas ?? 0) !== (spec?.replicas ?? 1);
}

function goes({ metadata }: KubernetesObject): boolean {
  const { deletionTimestamp, finalizers = [] } = metadata;
  return deletionTimestamp !== undefined && finalizers.every((each) => CLUSTERS_OWN.has(each));
}

async function isGarbage(transport: Transport, object: KubernetesObject): Promise<boolean> {
  const { ownerReferences = [], namespace = "" } = object.metadata;
  if (ownerReferences.length === 0) return false;
  const there = await Promise.all(
    ownerReferences.map((each) => exists(transport, each, namespace)),
  );
  return !there.includes(true);
}

/** An owner of a kind that is not served counts: nothing is collected for its sake. */
async function exists(
  transport: Transport,
  owner: OwnerReference,
  namespace: string,
): Promise<boolean> {
  const kind = await findKind(transport, owner);
  if (!kind) return true;
  const path = objectPath(kind, { namespace, name: owner.name });
  const { status, body } = await transport.request({ method: "GET", path });
  return status === 200 && (body as KubernetesObject).metadata.uid === owner.uid;
}
