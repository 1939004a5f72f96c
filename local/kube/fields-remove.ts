import { fieldElement } from "./fields-element.ts";
import { emptySet, type FieldSet, isEmptySet } from "./fields-set.ts";
import { deduce, type FieldType, fieldTypeOf, type ListType, type MapType } from "./fields-type.ts";
import { itemElement, type Json, listIn, mapIn } from "./fields-value.ts";

/**
 * The value without the fields and items of the set. What loses all its content becomes null.
 * https://github.com/kubernetes-sigs/structured-merge-diff/blob/master/typed/remove.go
 */
export function removeFields(value: unknown, set: FieldSet, type: FieldType): unknown {
  const atom = deduce(type.atom(), value);
  const map = mapIn(value);
  if (atom.map) return map ? removeFromMap(map, set, atom.map) : null;
  if (atom.scalar) return value;
  const list = listIn(value);
  return atom.list && list ? removeFromList(list, set, atom.list) : null;
}

/** The set with all declared fields that stand above a field of it. */
export function withNamedFields(set: FieldSet, type: FieldType | undefined): FieldSet {
  const atom = type?.atom() ?? {};
  const members = new Set(set.members);
  const children = new Map<string, FieldSet>();
  for (const [element, child] of set.children) {
    const name = element.startsWith("f:") ? element.slice(2) : undefined;
    if (name !== undefined && atom.map?.fields.has(name)) members.add(element);
    children.set(element, withNamedFields(child, innerType(atom, element)));
  }
  return { members, children };
}

function innerType(
  atom: { readonly map?: MapType; readonly list?: ListType },
  element: string,
): FieldType | undefined {
  if (element.startsWith("f:") && atom.map) {
    const name = element.slice(2);
    return atom.map.fields.get(name)?.type ?? atom.map.element;
  }
  return element.startsWith("k:") && atom.list ? atom.list.element : undefined;
}

function removeFromMap(map: Json, set: FieldSet, type: MapType): unknown {
  if (type.atomic) return null;
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(map)) {
    const element = fieldElement(name);
    if (set.members.has(element)) continue;
    const part = set.children.get(element) ?? emptySet();
    out[name] = isEmptySet(part) ? value : removeFields(value, part, fieldTypeOf(type, name));
  }
  return Object.keys(out).length > 0 ? out : null;
}

function removeFromList(list: readonly unknown[], set: FieldSet, type: ListType): unknown {
  if (!type.associative) return null;
  const out: unknown[] = [];
  for (const item of list) {
    const element = itemElement(type, item);
    if (set.members.has(element)) continue;
    const part = set.children.get(element) ?? emptySet();
    out.push(isEmptySet(part) ? item : removeFields(item, part, type.element));
  }
  return out.length > 0 ? out : null;
}
