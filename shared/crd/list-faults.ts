import type { StructuralSchema } from "./custom-resource-definition.ts";
import { fault, type Place, untyped } from "./place.ts";

/** What the API server asks of lists that it merges, and of their items. */
export function listFaults(schema: StructuralSchema, place: Place): void {
  const { type, items, "x-kubernetes-list-type": listType } = schema;
  if (schema["x-kubernetes-map-type"] && type !== "object") {
    fault(place, "mapAtomic() is of objects", "use it on z.object() or z.record()");
  }
  if (listType === undefined) return;
  if (!items) return void fault(place, `${listType} is the type of a list`, "use it on z.array()");
  if (listType === "atomic") return;
  if (items.nullable) {
    fault(place, `items of a list that is a ${listType} cannot be null`, "leave nullable() out");
  }
  if (listType === "set") setFaults(items, place);
  else mapFaults(schema, items, place);
}

function setFaults(items: StructuralSchema, place: Place): void {
  const { type, "x-kubernetes-list-type": listType = "atomic" } = items;
  if (type === "object" && items["x-kubernetes-map-type"] !== "atomic") {
    fault(place, "items of a set are compared as a whole", "use .check(mapAtomic()) on the items");
  } else if (type === "array" && listType !== "atomic") {
    fault(
      place,
      "items of a set are compared as a whole",
      "leave the check of the lists in it out",
    );
  } else if (type === undefined && untyped(items)) {
    fault(place, "items of a set have one type", "name it");
  }
}

function mapFaults(schema: StructuralSchema, items: StructuralSchema, place: Place): void {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (keys.length === 0 || new Set(keys).size < keys.length) {
    fault(place, `listMap(${keys.join(", ")}) names no key, or one twice`, "name each once");
  }
  for (const key of keys) {
    const field = items.properties?.[key];
    if (!field || untyped(field) || field.type === "object" || field.type === "array") {
      fault(place, `the key ${key} is no scalar field of the items`, "name another one");
    } else if (field.nullable) {
      fault(place, `the key ${key} may be null`, "leave nullable() out");
    } else if (!items.required?.includes(key) && field.default === undefined) {
      fault(place, `the key ${key} may be missing`, "let it be required, or have a default");
    }
  }
}
