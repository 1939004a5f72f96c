import type { FieldError } from "./api-error.ts";
import { sameJson } from "./fields-equal.ts";
import { isMap } from "./fields-value.ts";
import type { Schema } from "./schema.ts";
import { duplicate, invalid, required } from "./schema-errors.ts";

/**
 * Faults that the API server looks for beside the schema's own rules: repeated items in lists of type
 * set, repeated keys in lists of type map, and embedded resources without apiVersion or kind.
 */
export function listFaults(schema: Schema, value: unknown, path: string): FieldError[] {
  return [...embeddedFaults(schema, value, path), ...repeatFaults(schema, value, path)];
}

interface Part {
  readonly schema: Schema | undefined;
  readonly value: unknown;
  readonly path: string;
}

function embeddedFaults(schema: Schema, value: unknown, path: string): FieldError[] {
  const faults: FieldError[] = [];
  if (schema["x-kubernetes-embedded-resource"] && isMap(value)) {
    for (const key of ["apiVersion", "kind"]) {
      const field = childPath(path, key);
      const text = value[key];
      if (text === undefined) faults.push(required(field));
      else if (typeof text !== "string") faults.push(invalid(field, text, "must be a string"));
      else if (text === "") faults.push(invalid(field, text, "must not be empty"));
    }
  }
  for (const part of partsOf(schema, value, path)) {
    if (part.schema) faults.push(...embeddedFaults(part.schema, part.value, part.path));
  }
  return faults;
}

function repeatFaults(schema: Schema, value: unknown, path: string): FieldError[] {
  const faults: FieldError[] = [];
  if (Array.isArray(value)) {
    const listType = schema["x-kubernetes-list-type"];
    if (listType === "set") faults.push(...repeated(value, path));
    if (listType === "map") faults.push(...repeatedKeys(schema, value, path));
  }
  for (const part of partsOf(schema, value, path)) {
    if (part.schema) faults.push(...repeatFaults(part.schema, part.value, part.path));
  }
  return faults;
}

/** Each repeated item once, where it stands the second time. */
function repeated(items: readonly unknown[], path: string): FieldError[] {
  return items.flatMap((item, index) => {
    const earlier = items.slice(0, index).filter((each) => sameJson(each, item)).length;
    return earlier === 1 ? [duplicate(`${path}[${index}]`, item)] : [];
  });
}

function repeatedKeys(schema: Schema, items: readonly unknown[], path: string): FieldError[] {
  const wrong = items.findIndex((item) => item !== null && !isMap(item));
  if (wrong >= 0) {
    const detail = "must be an object for an array of list-type map";
    return [invalid(`${path}[${wrong}]`, items[wrong], detail)];
  }
  const names = schema["x-kubernetes-list-map-keys"] ?? [];
  const keys = items.map((item) =>
    Object.fromEntries(
      names.flatMap((name) => (isMap(item) && name in item ? [[name, item[name]]] : [])),
    ),
  );
  return repeated(keys, path);
}

/** Fields and items, with the path that the API server gives them: keys of maps in brackets. */
function partsOf(schema: Schema, value: unknown, path: string): Part[] {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => ({
      schema: schema.items,
      value: item,
      path: `${path}[${index}]`,
    }));
  }
  if (!isMap(value)) return [];
  const { properties = {}, additionalProperties: more } = schema;
  return Object.entries(value).map(([key, each]) => {
    if (Object.hasOwn(properties, key)) {
      return { schema: properties[key], value: each, path: childPath(path, key) };
    }
    const schemaOfMore = typeof more === "object" ? more : undefined;
    return { schema: schemaOfMore, value: each, path: `${path}[${key}]` };
  });
}

function childPath(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
