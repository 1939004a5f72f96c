import type { ServedResource } from "./served-resource.ts";

/** The resources that are served now: built-in ones, and those of CustomResourceDefinitions. */
export interface ResourceCatalog {
  readonly all: () => readonly ServedResource[];
  readonly find: (where: {
    readonly group: string;
    readonly version: string;
    readonly plural: string;
  }) => ServedResource | undefined;
}

/** By group: its versions, the preferred one first. */
export function groupsOf(
  resources: readonly ServedResource[],
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { group, version } of resources) {
    const versions = groups.get(group) ?? [];
    if (!versions.includes(version)) versions.push(version);
    groups.set(group, versions);
  }
  for (const versions of groups.values()) versions.sort(byPriority);
  return groups;
}

/** "v2" before "v1" before "v1beta2" before "v1alpha1" before all else. https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#version-priority */
function byPriority(a: string, b: string): number {
  const [rankA, rankB] = [rankOf(a), rankOf(b)];
  for (const [index, value] of rankA.entries()) {
    if (value !== rankB[index]) return (rankB[index] ?? 0) - value;
  }
  return a < b ? -1 : 1;
}

function rankOf(version: string): readonly number[] {
  const [, major, stage, minor] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  if (major === undefined) return [0, 0, 0];
  const stability = stage === undefined ? 3 : stage === "beta" ? 2 : 1;
  return [stability, Number(major), Number(minor ?? 0)];
}
