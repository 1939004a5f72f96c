import { compareElements, elementText, type FieldElement } from "./fields-element.ts";

/**
 * A set of fields of an object, as a tree. A step in `members` is in the set itself; a step in
 * `children` has fields below it that are. Sets are not changed once made, except by `insertField`
 * on a fresh one: they share parts.
 * https://github.com/kubernetes-sigs/structured-merge-diff/blob/master/fieldpath/set.go
 */
export interface FieldSet {
  readonly members: Set<FieldElement>;
  readonly children: Map<FieldElement, FieldSet>;
}

export function emptySet(): FieldSet {
  return { members: new Set(), children: new Map() };
}

export function setOf(...paths: readonly (readonly FieldElement[])[]): FieldSet {
  const set = emptySet();
  for (const path of paths) insertField(set, path);
  return set;
}

/** Changes the set; the whole object (an empty path) is never in a set. */
export function insertField(set: FieldSet, path: readonly FieldElement[]): void {
  const [head, ...rest] = path;
  if (head === undefined) return;
  if (rest.length === 0) {
    set.members.add(head);
    return;
  }
  let child = set.children.get(head);
  if (!child) {
    child = emptySet();
    set.children.set(head, child);
  }
  insertField(child, rest);
}

export function isEmptySet(set: FieldSet): boolean {
  return set.members.size === 0 && [...set.children.values()].every(isEmptySet);
}

export function hasField(set: FieldSet, path: readonly FieldElement[]): boolean {
  const [head, ...rest] = path;
  if (head === undefined) return false;
  if (rest.length === 0) return set.members.has(head);
  const child = set.children.get(head);
  return child !== undefined && hasField(child, rest);
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  const children = new Map(a.children);
  for (const [element, child] of b.children) {
    const other = children.get(element);
    children.set(element, other ? union(other, child) : child);
  }
  return { members: new Set([...a.members, ...b.members]), children };
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return {
    members: membersOf(a, (element) => b.members.has(element)),
    children: mapChildren(a, (child, element) => {
      const other = b.children.get(element);
      return other && intersection(child, other);
    }),
  };
}

/**
 * The fields of `a` that are not in `b` themselves; a parent in `b` does not remove its children. The
 * same set where there are none in `b`.
 */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (!touches(a, b)) return a;
  return {
    members: membersOf(a, (element) => !b.members.has(element)),
    children: mapChildren(a, (child, element) => {
      const other = b.children.get(element);
      return other ? difference(child, other) : child;
    }),
  };
}

/** Whether a field is in both. */
function touches(a: FieldSet, b: FieldSet): boolean {
  for (const element of b.members) if (a.members.has(element)) return true;
  for (const [element, other] of b.children) {
    const child = a.children.get(element);
    if (child && touches(child, other)) return true;
  }
  return false;
}

/** The fields of `a` that are neither in `b` nor below a field of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return {
    members: membersOf(a, (element) => !b.members.has(element)),
    children: mapChildren(a, (child, element) => {
      if (b.members.has(element)) return undefined;
      const other = b.children.get(element);
      return other ? recursiveDifference(child, other) : child;
    }),
  };
}

/** The fields of `a` at or below one path. */
export function below(a: FieldSet, path: readonly FieldElement[]): FieldSet {
  const [head, ...rest] = path;
  if (head === undefined) return a;
  const child = a.children.get(head);
  const part = child ? below(child, rest) : emptySet();
  return {
    members: new Set(rest.length === 0 && a.members.has(head) ? [head] : []),
    children: isEmptySet(part) ? new Map() : new Map([[head, part]]),
  };
}

/** All paths in the set: members first, then those below, each in order. */
export function pathsOf(set: FieldSet): FieldElement[][] {
  const members = [...set.members].sort(compareElements).map((element) => [element]);
  const parents = [...set.children.keys()].sort(compareElements);
  const deeper = parents.flatMap((element) =>
    pathsOf(set.children.get(element) ?? emptySet()).map((path) => [element, ...path]),
  );
  return [...members, ...deeper];
}

/** As in messages: `.spec.ports[port=80,protocol="TCP"]`. */
export function pathText(path: readonly FieldElement[]): string {
  return path.map(elementText).join("");
}

function mapChildren(
  set: FieldSet,
  change: (child: FieldSet, element: FieldElement) => FieldSet | undefined,
): Map<FieldElement, FieldSet> {
  const children = new Map<FieldElement, FieldSet>();
  for (const [element, child] of set.children) {
    const changed = change(child, element);
    if (changed && !isEmptySet(changed)) children.set(element, changed);
  }
  return children;
}

function membersOf(set: FieldSet, keep: (element: FieldElement) => boolean): Set<FieldElement> {
  return new Set([...set.members].filter(keep));
}
