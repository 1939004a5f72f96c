import { groupsOf, type ResourceCatalog } from "./resource-catalog.ts";
import type { ServedResource } from "./served-resource.ts";

/** In the orders of the API server. */
const CUSTOM_VERBS = [
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "create",
  "update",
  "watch",
];
const VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/**
 * What discovery answers at a path: versions of the core group, the groups, one group, or the
 * resources of a group and version. Undefined where there is none.
 * https://kubernetes.io/docs/concepts/overview/kubernetes-api/#unaggregated-discovery
 */
export function discoveryAt(
  parts: readonly string[],
  catalog: ResourceCatalog,
  serverAddress: string,
): object | undefined {
  const [root, first, second, ...more] = parts;
  if (more.length > 0) return undefined;
  const resources = catalog.all();
  if (root === "api") {
    if (first === undefined) return coreVersions(serverAddress);
    return second === undefined ? resourceList("", first, resources) : undefined;
  }
  if (root !== "apis") return undefined;
  const groups = groupsOf(resources);
  if (first === undefined) {
    const named = [...groups].filter(([group]) => group !== "");
    const list = named.map(([group, versions]) => apiGroup(group, versions));
    return { kind: "APIGroupList", apiVersion: "v1", groups: list };
  }
  if (second !== undefined) return resourceList(first, second, resources);
  const versions = groups.get(first);
  if (!versions || first === "") return undefined;
  return { kind: "APIGroup", apiVersion: "v1", ...apiGroup(first, versions) };
}

function coreVersions(serverAddress: string): object {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

function apiGroup(name: string, versions: readonly string[]): object {
  const entries = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: entries, preferredVersion: entries[0] };
}

function resourceList(
  group: string,
  version: string,
  all: readonly ServedResource[],
): object | undefined {
  const resources = all.filter((each) => each.group === group && each.version === version);
  if (resources.length === 0) return undefined;
  return {
    kind: "APIResourceList",
    ...(group === "" ? {} : { apiVersion: "v1" }),
    groupVersion: group === "" ? version : `${group}/${version}`,
    resources: resources.flatMap(entriesOf),
  };
}

function entriesOf(resource: ServedResource): readonly object[] {
  const { plural, singular, namespaced, kind, shortNames, categories, subresources } = resource;
  const main = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: resource.verbs ?? (resource.custom ? CUSTOM_VERBS : VERBS),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
  };
  const sub = { singularName: "", namespaced };
  const verbs = ["get", "patch", "update"];
  return [
    main,
    ...(subresources.scale
      ? [
          {
            name: `${plural}/scale`,
            ...sub,
            group: "autoscaling",
            version: "v1",
            kind: "Scale",
            verbs,
          },
        ]
      : []),
    ...(subresources.status ? [{ name: `${plural}/status`, ...sub, kind, verbs }] : []),
  ];
}
