import type { FieldError } from "./api-error.ts";
import type { AnySchema } from "./crd-schema-part.ts";
import { forbidden, invalid, notSupported, required } from "./schema-errors.ts";

/** Faults of x-kubernetes-list-type and x-kubernetes-list-map-keys. */
export function listKeyFaults(schema: AnySchema, path: string): FieldError[] {
  const listType: string | undefined = schema["x-kubernetes-list-type"];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const field = `${path}.x-kubernetes-list-type`;
  const faults: FieldError[] = listTypeFaults(schema, path);
  if (listType !== undefined && !LIST_TYPES.includes(listType)) {
    faults.push(notSupported(field, listType, LIST_TYPES));
  }
  if (keys.length > 0 && listType !== "map") {
    const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
    faults.push(
      listType === undefined ? required(field, detail) : invalid(field, listType, detail),
    );
  }
  if (listType === "map") faults.push(...mapKeyFaults(schema, path));
  if (listType === "map" || listType === "set") faults.push(...itemFaults(schema, path));
  return faults;
}

const LIST_TYPES = ["atomic", "set", "map"];

function listTypeFaults(schema: AnySchema, path: string): FieldError[] {
  const { type, items } = schema;
  const listType = schema["x-kubernetes-list-type"];
  if (listType === undefined) return [];
  if (type !== "array") {
    const detail = "must be array if x-kubernetes-list-type is specified";
    const field = `${path}.type`;
    return [type ? invalid(field, type, detail) : required(field, detail)];
  }
  if (listType !== "set" || !items) return [];
  const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const ofItems = items["x-kubernetes-list-type"];
  if (items.type === "array" && ofItems !== undefined && ofItems !== "atomic") {
    return [invalid(`${path}.items.x-kubernetes-list-type`, ofItems, detail)];
  }
  if (items.type === "object" && items["x-kubernetes-map-type"] !== "atomic") {
    // The API server names the list type of the items here, too.
    return [invalid(`${path}.items.x-kubernetes-map-type`, ofItems ?? null, detail)];
  }
  return [];
}

function mapKeyFaults(schema: AnySchema, path: string): FieldError[] {
  const { items } = schema;
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const field = `${path}.x-kubernetes-list-map-keys`;
  const faults: FieldError[] = [];
  if (keys.length === 0) {
    faults.push(required(field, "must not be empty if x-kubernetes-list-type is map"));
  }
  if (!items) {
    const detail = "must have a schema if x-kubernetes-list-type is map";
    return [...faults, required(`${path}.items`, detail)];
  }
  if (items.type !== "object") {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    return [...faults, invalid(`${path}.items.type`, items.type ?? "", detail)];
  }
  keys.forEach((key, index) => {
    const property = items.properties?.[key];
    if (!property) {
      faults.push(invalid(field, keys, "entries must all be names of item properties"));
    } else if (property.type === "array" || property.type === "object") {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      faults.push(invalid(`${path}.items.properties[${key}].type`, items.type, detail));
    }
    if (keys.indexOf(key) < index) {
      faults.push(invalid(field, keys, "must not contain duplicate entries"));
    }
  });
  return faults;
}

/** Items of sets and maps are never null; keys are required or have a default. */
function itemFaults(schema: AnySchema, path: string): FieldError[] {
  const { items } = schema;
  if (!items) return [];
  const faults: FieldError[] = [];
  const listType = schema["x-kubernetes-list-type"];
  if (items.nullable) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    faults.push(forbidden(`${path}.items.nullable`, detail));
  }
  if (listType !== "map") return faults;
  for (const key of schema["x-kubernetes-list-map-keys"] ?? []) {
    const property = items.properties?.[key];
    if (!property) continue;
    const field = `${path}.items.properties[${key}]`;
    if (!items.required?.includes(key) && property.default === undefined) {
      const detail =
        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a " +
        "required property";
      faults.push(required(`${field}.default`, detail));
    }
    if (property.nullable) {
      const detail = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
      faults.push(forbidden(`${field}.nullable`, detail));
    }
  }
  return faults;
}
