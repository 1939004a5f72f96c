import type { StructuralSchema } from "./custom-resource-definition.ts";
import { fault, type Place } from "./place.ts";

/** What the API server asks of lists that it merges, and of their items. */
export function listFaults(schema: StructuralSchema, place: Place): void {
  const { items, "x-kubernetes-list-type": listType } = schema;
  if (listType === undefined || listType === "atomic") return;
  if (!items) return void fault(place, `${listType} is the type of a list`, "use it on z.array()");
  if (items.nullable) {
    fault(place, `items of a list that is a ${listType} cannot be null`, "leave nullable() out");
  }
  if (listType === "set") setFaults(items, place);
  else mapFaults(schema, items, place);
}

function setFaults(items: StructuralSchema, place: Place): void {
  const atomic = items.type === "object" ? items["x-kubernetes-map-type"] === "atomic" : true;
  if (!atomic || items.type === undefined) {
    fault(place, "items of a set are compared as a whole", "use .check(mapAtomic()) on the items");
  }
}

function mapFaults(schema: StructuralSchema, items: StructuralSchema, place: Place): void {
  for (const key of schema["x-kubernetes-list-map-keys"] ?? []) {
    const field = items.properties?.[key];
    if (!field?.type || field.type === "object" || field.type === "array") {
      fault(place, `the key ${key} is no scalar field of the items`, "name another one");
    } else if (field.nullable) {
      fault(place, `the key ${key} may be null`, "leave nullable() out");
    } else if (!items.required?.includes(key) && field.default === undefined) {
      fault(place, `the key ${key} may be missing`, "let it be required, or have a default");
    }
  }
}
