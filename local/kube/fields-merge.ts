import type { FieldElement } from "./fields-element.ts";
import { type Atom, deduce, type FieldType, fieldTypeOf, type ListType } from "./fields-type.ts";
import { itemElement, type Json, listIn, mapIn } from "./fields-value.ts";

/**
 * The live value with the applied one on top. Nothing is removed. Lists with identity keep the
 * order of the live list, unless the applied list has another order for the items of both.
 * https://github.com/kubernetes-sigs/structured-merge-diff/blob/master/typed/merge.go
 */
export function mergeValues(live: unknown, applied: unknown, type: FieldType): unknown {
  const atom = type.atom();
  if (applied === undefined) return mergeAs(deduce(atom, live), live, applied);
  return mergeAs(deduce(atom, applied), live, applied);
}

function mergeAs(atom: Atom, live: unknown, applied: unknown): unknown {
  const leaf = applied === undefined ? live : applied;
  if (atom.map) {
    const [was, is] = [mapIn(live) ?? {}, mapIn(applied) ?? {}];
    const empty = Object.keys(was).length === 0 && Object.keys(is).length === 0;
    if (atom.map.atomic || empty) return leaf;
    const { map } = atom;
    return mergeFields(was, is, (name) => fieldTypeOf(map, name));
  }
  if (atom.scalar || !atom.list) return leaf;
  const [was, is] = [listIn(live) ?? [], listIn(applied) ?? []];
  if (!atom.list.associative || (was.length === 0 && is.length === 0)) return leaf;
  return mergeItems(was, is, atom.list);
}

function mergeFields(live: Json, applied: Json, typeOf: (name: string) => FieldType): unknown {
  const out: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(live), ...Object.keys(applied)])) {
    const merged = mergeValues(live[name], applied[name], typeOf(name));
    if (merged !== undefined) out[name] = merged;
  }
  return Object.keys(out).length > 0 ? out : undefined;
}

interface Indexed {
  readonly elements: readonly FieldElement[];
  readonly items: readonly unknown[];
  /** Items that occur twice are null: they are not merged. */
  readonly byElement: ReadonlyMap<FieldElement, unknown>;
}

function mergeItems(
  live: readonly unknown[],
  applied: readonly unknown[],
  list: ListType,
): unknown {
  const left = indexed(list, live);
  const right = indexed(list, applied);
  const out: unknown[] = [];
  const take = (element: FieldElement, item: unknown) => {
    const merged = mergeValues(item, right.byElement.get(element), list.element);
    if (merged !== undefined) out.push(merged);
  };
  walkTogether(left, right, take);
  return out.length > 0 ? out : undefined;
}

/** Tells of each item of the result, in order, with the live item to merge into. */
function walkTogether(
  left: Indexed,
  right: Indexed,
  take: (element: FieldElement, liveItem: unknown) => void,
): void {
  const shared = right.elements.filter((element) => left.byElement.has(element));
  const done = new Set<FieldElement>();
  let [l, r] = [0, 0];
  while (l < left.elements.length || r < right.elements.length) {
    const [was, is] = [left.elements[l], right.elements[r]];
    if (was !== undefined && is !== undefined) {
      if (was === is) {
        done.add(was);
        take(was, left.byElement.get(was));
        l++;
        r++;
        shared.shift();
        continue;
      }
      // An item of both, but not the one whose turn it is.
      if (right.byElement.has(was) && shared.length > 0 && shared[0] !== was) {
        l++;
        continue;
      }
    }
    if (was !== undefined) {
      if (!right.byElement.has(was)) {
        take(was, left.items[l]);
        l++;
        continue;
      }
      if (done.has(was)) l++;
    }
    if (is !== undefined) {
      done.add(is);
      take(is, left.byElement.get(is));
      r++;
      if (shared[0] === is) shared.shift();
    }
  }
}

function indexed(list: ListType, items: readonly unknown[]): Indexed {
  const elements = items.map((item) => itemElement(list, item));
  const byElement = new Map<FieldElement, unknown>();
  for (const [index, element] of elements.entries()) {
    byElement.set(element, byElement.has(element) ? null : items[index]);
  }
  return { elements, items, byElement };
}
