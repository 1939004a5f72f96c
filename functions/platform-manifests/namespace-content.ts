import type { Kind } from "../../shared/api/object.ts";
import { type ListedObject, listObjects, objectText } from "../../shared/platform/object-list.ts";
import { belongsTo } from "../../shared/platform/platform-labels.ts";
import type { ClusterWork } from "./cluster-work.ts";

/**
 * What is in a namespace and neither the platform's, nor owned by something, nor put into each namespace
 * by the cluster itself. Names of objects; with a group that cannot be asked, that group's.
 */
export async function foreignContent(
  work: ClusterWork,
  namespace: string,
  platform: string,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const kind of await namespacedKinds(work, found)) {
    const objects = await listObjects(work.transport, kind, work.signal, namespace).catch(
      () => undefined, // Said below: then nobody knows what is there.
    );
    if (!objects) found.push(`objects of ${kind.apiVersion} ${kind.kind}`);
    found.push(...(objects ?? []).filter((each) => !accounted(each, platform)).map(objectText));
  }
  return found;
}

function accounted({ kind, key, metadata }: ListedObject, platform: string): boolean {
  if (belongsTo(platform, metadata) || (metadata.ownerReferences?.length ?? 0) > 0) return true;
  return AUTOMATIC.includes(`${kind.kind} ${key.name}`);
}

/** What controllers of Kubernetes put into every namespace. */
const AUTOMATIC = ["ServiceAccount default", "ConfigMap kube-root-ca.crt"];
/** Neither says that somebody uses the namespace. */
const PASSING = /^(events\.k8s\.io|metrics\.k8s\.io)\//;

interface ResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

interface GroupList {
  readonly groups?: readonly { readonly preferredVersion?: { readonly groupVersion: string } }[];
}

async function namespacedKinds(work: ClusterWork, unknown: string[]): Promise<readonly Kind[]> {
  const ask = async (path: string) => {
    const { status, body } = await work.transport.request({
      method: "GET",
      path,
      signal: work.signal,
    });
    return status === 200 ? body : undefined;
  };
  const groups = ((await ask("/apis")) as GroupList | undefined)?.groups;
  if (!groups) unknown.push("objects of unknown groups");
  const versions = (groups ?? [])
    .flatMap(({ preferredVersion }) => preferredVersion?.groupVersion ?? [])
    .filter((version) => !PASSING.test(version));
  const kinds: Kind[] = [];
  for (const apiVersion of ["v1", ...versions]) {
    const path = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
    const { resources } = ((await ask(path)) ?? {}) as ResourceList;
    if (!resources) unknown.push(`objects of ${apiVersion}`);
    kinds.push(...(resources ?? []).filter(listed).map((each) => kindIn(apiVersion, each)));
  }
  return kinds;
}

type Resource = NonNullable<ResourceList["resources"]>[number];

function listed({ name, kind, namespaced, verbs }: Resource): boolean {
  return namespaced && !name.includes("/") && verbs.includes("list") && kind !== "Event";
}

function kindIn(apiVersion: string, { name, kind }: Resource): Kind {
  return { apiVersion, kind, plural: name, scope: "Namespaced" };
}
