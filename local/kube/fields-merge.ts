import type { FieldElement } from "./fields-element.ts";
import { type Atom, deduce, type FieldType, fieldTypeOf, type ListType } from "./fields-type.ts";
import { itemElement, type Json, listIn, mapIn } from "./fields-value.ts";

/**
 * The live value with the applied one on top. Nothing is removed. Lists with identity keep the
 * order of the live list, unless the applied list has another order for the items of both. Shares with
 * the live value what stays as it is.
 * https://github.com/kubernetes-sigs/structured-merge-diff/blob/master/typed/merge.go
 */
export function mergeValues(live: unknown, applied: unknown, type: FieldType): unknown {
  if (applied === undefined) return live;
  return mergeAs(deduce(type.atom(), applied), live, applied);
}

function mergeAs(atom: Atom, live: unknown, applied: unknown): unknown {
  if (atom.map) {
    const [was, is] = [mapIn(live) ?? {}, mapIn(applied) ?? {}];
    const empty = Object.keys(was).length === 0 && Object.keys(is).length === 0;
    if (atom.map.atomic || empty) return applied;
    const { map } = atom;
    return mergeFields(was, is, (name) => fieldTypeOf(map, name));
  }
  if (atom.scalar || !atom.list) return applied;
  const [was, is] = [listIn(live) ?? [], listIn(applied) ?? []];
  if (!atom.list.associative || (was.length === 0 && is.length === 0)) return applied;
  return mergeItems(was, is, atom.list);
}

function mergeFields(live: Json, applied: Json, typeOf: (name: string) => FieldType): unknown {
  let made: Record<string, unknown> | undefined;
  for (const [name, field] of Object.entries(applied)) {
    const merged = mergeValues(live[name], field, typeOf(name));
    if (merged === live[name]) continue;
    made ??= { ...live };
    made[name] = merged;
  }
  return made ?? live;
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
  const same = out.length === live.length && out.every((item, index) => item === live[index]);
  return same ? live : out;
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
