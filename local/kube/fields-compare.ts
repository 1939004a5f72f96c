import { type FieldElement, fieldElement } from "./fields-element.ts";
import { sameJson } from "./fields-equal.ts";
import { emptySet, type FieldSet, insertField } from "./fields-set.ts";
import { type Atom, deduce, type FieldType, fieldTypeOf, type ListType } from "./fields-type.ts";
import { itemElement, listIn, mapIn } from "./fields-value.ts";

/** What a change did. No field is in more than one of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** One place in the two values; undefined where a side has none. */
interface Place {
  readonly before: unknown;
  readonly after: unknown;
  readonly path: readonly FieldElement[];
  readonly type: FieldType;
}

/** https://github.com/kubernetes-sigs/structured-merge-diff/blob/master/typed/compare.go */
export function compareValues(before: unknown, after: unknown, type: FieldType): Comparison {
  const out = { added: emptySet(), modified: emptySet(), removed: emptySet() };
  compareAt({ before, after, path: [], type }, out);
  return out;
}

function compareAt(place: Place, out: Comparison): void {
  const { before, after, path } = place;
  if (before === after) return; // Parts that a write left alone are the same ones.
  const atom = place.type.atom();
  const was = deduce(atom, before);
  const is = deduce(atom, after);
  const same = before === undefined || after === undefined || sameAtom(was, is);
  if (!same) compareAs(was, place, out);
  const leaf = compareAs(after === undefined ? was : is, place, out);
  if (leaf) return;
  if (before === undefined) insertField(out.added, path);
  else if (after === undefined) insertField(out.removed, path);
}

function sameAtom(a: Atom, b: Atom): boolean {
  return !a.map === !b.map && !a.list === !b.list && !a.scalar === !b.scalar;
}

/** Returns whether the place is one field, without fields of its own. */
function compareAs(atom: Atom, place: Place, out: Comparison): boolean {
  const { before, after } = place;
  if (atom.map) {
    const sides = [mapIn(before), mapIn(after)].filter((map) => Object.keys(map ?? {}).length > 0);
    if (atom.map.atomic || sides.length === 0) return compareLeaf(place, out);
    for (const name of new Set(sides.flatMap((map) => Object.keys(map ?? {})))) {
      compareAt(fieldPlace(place, name, fieldTypeOf(atom.map, name)), out);
    }
    return false;
  }
  if (atom.scalar || !atom.list) return compareLeaf(place, out);
  const empty = !listIn(before)?.length && !listIn(after)?.length;
  if (!atom.list.associative || empty) return compareLeaf(place, out);
  compareItems(place, atom.list, out);
  return false;
}

function compareLeaf({ before, after, path }: Place, out: Comparison): boolean {
  if (before === undefined) insertField(out.added, path);
  else if (after === undefined) insertField(out.removed, path);
  else if (!sameJson(before, after)) insertField(out.modified, path);
  return true;
}

function fieldPlace(place: Place, name: string, type: FieldType): Place {
  return {
    before: mapIn(place.before)?.[name],
    after: mapIn(place.after)?.[name],
    path: [...place.path, fieldElement(name)],
    type,
  };
}

function compareItems(place: Place, list: ListType, out: Comparison): void {
  const before = itemsByElement(list, listIn(place.before) ?? []);
  const after = itemsByElement(list, listIn(place.after) ?? []);
  for (const element of new Set([...before.keys(), ...after.keys()])) {
    const was = before.get(element) ?? [];
    const is = after.get(element) ?? [];
    const path = [...place.path, element];
    const item = { path, type: list.element };
    if (was.length <= 1 && is.length <= 1) {
      compareAt({ ...item, before: was[0], after: is[0] }, out);
    } else {
      compareDuplicates(item, { was, is }, out);
    }
  }
}

/** Items that occur twice are one field together. */
function compareDuplicates(
  item: Pick<Place, "path" | "type">,
  { was, is }: { was: readonly unknown[]; is: readonly unknown[] },
  out: Comparison,
): void {
  if (was.length >= 2 && is.length >= 2) {
    if (!sameJson(was, is)) insertField(out.modified, item.path);
  } else if (was.length >= 2) {
    if (is.length > 0) compareAt({ ...item, before: undefined, after: is[0] }, out);
    insertField(out.removed, item.path);
  } else {
    if (was.length > 0) compareAt({ ...item, before: was[0], after: undefined }, out);
    insertField(out.added, item.path);
  }
}

function itemsByElement(list: ListType, items: readonly unknown[]): Map<FieldElement, unknown[]> {
  const found = new Map<FieldElement, unknown[]>();
  for (const item of items) {
    const element = itemElement(list, item);
    found.set(element, [...(found.get(element) ?? []), item]);
  }
  return found;
}
