import { groupOf, type Kind } from "../api/object.ts";

/** One rule of a Role or ClusterRole. */
export interface RoleRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** The only objects that it is for; absent: all. */
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly RoleVerb[];
}

export type RoleVerb = (typeof VERBS)[number];

/** In the order in which Kubernetes' own roles have them. */
const VERBS = ["get", "list", "watch", "create", "update", "patch", "delete"] as const;

/** What somebody must be allowed, as a definition says it. */
export interface Need {
  readonly kind: Pick<Kind, "apiVersion" | "plural">;
  readonly subresource?: string | undefined;
  readonly verbs: readonly RoleVerb[];
  /** The only objects that it is for; absent: all. */
  readonly names?: readonly string[];
  /** Absent: all namespaces, or a cluster-scoped kind. */
  readonly namespaces?: readonly string[] | undefined;
}

/** The rules of one role. */
export interface RoleRules {
  /** Absent: a ClusterRole. */
  readonly namespace?: string;
  readonly rules: readonly RoleRule[];
}

/** One verb on one resource in one place: what a role grants, in its smallest parts. */
interface Grant {
  readonly namespace: string;
  readonly group: string;
  readonly resource: string;
  readonly name: string;
  readonly verb: RoleVerb;
}

/**
 * The fewest rules that allow just these needs: cluster-wide first, then by namespace. The same needs
 * in any order give the same rules.
 */
export function rulesOf(needs: readonly Need[]): readonly RoleRules[] {
  const all = new Map(needs.flatMap(grantsOf).map((grant) => [textOf(grant), grant]));
  const wider = (grant: Grant, more: Partial<Grant>) =>
    textOf({ ...grant, ...more }) !== textOf(grant) && all.has(textOf({ ...grant, ...more }));
  const grants = [...all.values()].filter(
    (grant) =>
      !wider(grant, { name: ALL }) &&
      !wider(grant, { namespace: ALL }) &&
      !wider(grant, { name: ALL, namespace: ALL }),
  );
  const places = grouped(grants, ({ namespace }) => namespace);
  return places.map(([namespace, here]) => ({
    ...(namespace === ALL ? {} : { namespace }),
    rules: grouped(here, ({ group }) => group).flatMap(([group, of]) => rulesIn(group, of)),
  }));
}

/** Stands for every name, and for every namespace. Sorts before all of them. */
const ALL = "";

function grantsOf({ kind, subresource, verbs, names, namespaces }: Need): readonly Grant[] {
  const group = groupOf(kind.apiVersion);
  const resource = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`;
  return (namespaces ?? [ALL]).flatMap((namespace) =>
    (names ?? [ALL]).flatMap((name) =>
      verbs.map((verb) => ({ namespace, group, resource, name, verb })),
    ),
  );
}

function textOf({ namespace, group, resource, name, verb }: Grant): string {
  return [namespace, group, resource, name, verb].join(" ");
}

/** Names with the same verbs on a resource are one rule, and so are resources with the same names and verbs. */
function rulesIn(group: string, grants: readonly Grant[]): readonly RoleRule[] {
  const rules = grouped(grants, ({ resource }) => resource).flatMap(([resource, of]) =>
    namesIn(of).map(({ names, verbs }) => ({
      apiGroups: [group],
      resources: [resource],
      ...(names.includes(ALL) ? {} : { resourceNames: names }),
      verbs,
    })),
  );
  const alike = grouped(rules, ({ resourceNames = [], verbs }) =>
    JSON.stringify([resourceNames, verbs]),
  );
  return alike
    .flatMap(([, [first, ...rest]]) => (first ? [rest.reduce(joined, first)] : []))
    .sort((a, b) => order(JSON.stringify(a.resources), JSON.stringify(b.resources)));
}

function namesIn(grants: readonly Grant[]) {
  const byName = grouped(grants, ({ name }) => name);
  return grouped(byName, ([, of]) => verbsOf(of).join()).map(([, alike]) => ({
    names: alike.map(([name]) => name),
    verbs: verbsOf(alike.flatMap(([, of]) => of)),
  }));
}

function joined(one: RoleRule, other: RoleRule): RoleRule {
  return { ...one, resources: [...one.resources, ...other.resources] };
}

function verbsOf(grants: readonly Grant[]): readonly RoleVerb[] {
  return VERBS.filter((verb) => grants.some((grant) => grant.verb === verb));
}

/** By what `key` says, in its order. */
function grouped<T>(
  items: readonly T[],
  key: (item: T) => string,
): readonly (readonly [string, readonly T[]])[] {
  return Object.entries(Object.groupBy(items, key))
    .sort(([a], [b]) => order(a, b))
    .map(([name, group = []]) => [name, group]);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
