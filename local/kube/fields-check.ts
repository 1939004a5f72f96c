import { elementText, type FieldElement, fieldElement } from "./fields-element.ts";
import { goSyntax, goText, goType } from "./fields-text.ts";
import { type Atom, deduce, type FieldType, type ListType, type MapType } from "./fields-type.ts";
import { isMap, itemElement, type Json } from "./fields-value.ts";

interface Fault {
  readonly path: string;
  readonly message: string;
}

/**
 * Says what makes a value unfit for merging: wrong types, fields that are not declared, items
 * without identity, and twice the same item unless those are allowed. Undefined if nothing does.
 * https://github.com/kubernetes-sigs/structured-merge-diff/blob/master/typed/validate.go
 */
export function checkFields(
  value: unknown,
  type: FieldType,
  options: { readonly duplicates: boolean },
): string | undefined {
  const faults = faultsOf(value, type, options.duplicates);
  const lines = faults.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  if (lines.length === 0) return undefined;
  return lines.length === 1
    ? lines[0]
    : ["errors:", ...lines.map((line) => `  ${line}`)].join("\n");
}

function faultsOf(value: unknown, type: FieldType, duplicates: boolean): readonly Fault[] {
  const atom = deduce(type.atom(), value);
  if (value === null || value === undefined) return NONE;
  if (atom.map) {
    if (isMap(value)) return fieldFaults(value, atom.map, duplicates);
    return [{ path: "", message: `expected map, got &{${goText(value)}}` }];
  }
  if (atom.scalar) return scalarFaults(value, atom.scalar);
  if (!atom.list) return NONE;
  if (Array.isArray(value)) return itemFaults(value, atom.list, duplicates);
  return [{ path: "", message: `expected list, got &{${goText(value)}}` }];
}

const NONE: readonly Fault[] = [];

function fieldFaults(map: Json, type: MapType, duplicates: boolean): Fault[] {
  const faults: Fault[] = [];
  for (const [name, field] of Object.entries(map)) {
    const element = fieldElement(name);
    const inner = type.fields.get(name)?.type ?? type.element;
    if (!inner) {
      return [...faults, { path: elementText(element), message: "field not declared in schema" }];
    }
    faults.push(...inside(element, faultsOf(field, inner, duplicates)));
  }
  return faults;
}

function itemFaults(items: readonly unknown[], list: ListType, duplicates: boolean): Fault[] {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    let element = `i:${index}`;
    if (list.associative) {
      try {
        element = itemElement(list, item);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return [...faults, { path: "", message: `element ${index}: ${reason}` }];
      }
      if (seen.has(element) && !duplicates) {
        faults.push({ path: "", message: `duplicate entries for key ${elementText(element)}` });
      }
      seen.add(element);
    }
    faults.push(...inside(element, faultsOf(item, list.element, duplicates)));
  }
  return faults;
}

function scalarFaults(value: unknown, scalar: NonNullable<Atom["scalar"]>): readonly Fault[] {
  const fault = (message: string) => [{ path: "", message }];
  if (scalar === "numeric" && typeof value !== "number") {
    return fault(`expected numeric (int or float), got ${goType(value)}`);
  }
  if (scalar === "string" && typeof value !== "string") {
    return fault(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
  }
  if (scalar === "boolean" && typeof value !== "boolean") {
    return fault(`expected boolean, got &{${goText(value)}}`);
  }
  if (scalar === "untyped" && typeof value === "object") {
    return fault(`expected any scalar, got &{${goText(value)}}`);
  }
  return NONE;
}

function inside(element: FieldElement, faults: readonly Fault[]): readonly Fault[] {
  if (faults.length === 0) return faults;
  const prefix = elementText(element);
  return faults.map(({ path, message }) => ({ path: `${prefix}${path}`, message }));
}
