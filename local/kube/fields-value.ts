import type { FieldElement } from "./fields-element.ts";
import { fieldElement, keyElement, valueElement } from "./fields-element.ts";
import { emptySet, type FieldSet, insertField } from "./fields-set.ts";
import { type Atom, deduce, type FieldType, fieldTypeOf, type ListType } from "./fields-type.ts";

export type Json = Readonly<Record<string, unknown>>;

export function isMap(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is a map; null and all else have no fields. */
export function mapIn(value: unknown): Json | undefined {
  return isMap(value) ? value : undefined;
}

export function listIn(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** The identity of an item in an associative list. Throws where it has none. */
export function itemElement(list: ListType, item: unknown): FieldElement {
  if (list.keys.length === 0) return setElement(item);
  if (item === null) throw new Error("associative list with keys may not have a null element");
  if (!isMap(item)) throw new Error("associative list with keys may not have non-map elements");
  const fields = list.element.atom().map?.fields;
  const keys: Record<string, unknown> = {};
  for (const name of list.keys) {
    const value = item[name] === undefined ? fields?.get(name)?.default : item[name];
    if (value !== undefined && value !== null) keys[name] = value;
    else if (item[name] === null) keys[name] = null;
  }
  if (Object.keys(keys).length === 0) {
    const names = list.keys.map((name) => JSON.stringify(name)).join(" ");
    throw new Error(
      `associative list with keys has an element that omits all key fields [${names}] ` +
        "(and doesn't have default values for any key fields)",
    );
  }
  return keyElement(keys);
}

/**
 * All fields that a value has: what an applier owns. Containers are in it only where they are
 * items, keys of maps, null, or empty.
 */
export function fieldsOf(value: unknown, type: FieldType): FieldSet {
  const set = emptySet();
  collect(set, [], value, deduce(type.atom(), value));
  return set;
}

function collect(set: FieldSet, path: FieldElement[], value: unknown, atom: Atom): void {
  if (atom.map) {
    if (atom.map.atomic) insertField(set, path);
    else
      for (const name of Object.keys(mapIn(value) ?? {}))
        collectField(set, path, { value, name, atom });
    return;
  }
  if (atom.scalar) {
    insertField(set, path);
    return;
  }
  if (!atom.list) return;
  if (atom.list.associative) collectItems(set, path, listIn(value) ?? [], atom.list);
  else insertField(set, path);
}

function collectField(
  set: FieldSet,
  path: FieldElement[],
  { value, name, atom }: { value: unknown; name: string; atom: Atom },
): void {
  if (!atom.map) return;
  const field = mapIn(value)?.[name];
  const inner = [...path, fieldElement(name)];
  collect(set, inner, field, deduce(fieldTypeOf(atom.map, name).atom(), field));
  const empty = field === null || (isMap(field) && Object.keys(field).length === 0);
  if (empty || !atom.map.fields.has(name)) insertField(set, inner);
}

function collectItems(
  set: FieldSet,
  path: FieldElement[],
  items: readonly unknown[],
  list: ListType,
): void {
  const elements = items.map((item) => itemElement(list, item));
  const duplicates = new Set(elements.filter((one, index) => elements.indexOf(one) !== index));
  for (const [index, element] of elements.entries()) {
    const inner = [...path, element];
    insertField(set, inner);
    if (duplicates.has(element)) continue;
    collect(set, inner, items[index], deduce(list.element.atom(), items[index]));
  }
}

function setElement(item: unknown): FieldElement {
  if (item === null) {
    throw new Error("associative list without keys has an element that's an explicit null");
  }
  if (Array.isArray(item)) {
    throw new Error("not supported: associative list with lists as elements");
  }
  if (isMap(item)) {
    throw new Error("associative list without keys has an element that's a map type");
  }
  return valueElement(item);
}
