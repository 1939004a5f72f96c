import type { FieldError } from "./api-error.ts";
import { sameJson } from "./fields-equal.ts";
import { isMap, type Json } from "./fields-value.ts";
import type { Schema } from "./schema.ts";
import { checkAlternatives } from "./schema-alternatives.ts";
import { listFaults } from "./schema-lists.ts";
import {
  addFault,
  bodyFault,
  enumFault,
  forbiddenPropertyFault,
  merge,
  newResult,
  requiredFault,
  type SchemaResult,
  tooManyFault,
} from "./schema-result.ts";
import { checkNumber, checkString, checkType } from "./schema-scalars.ts";

/**
 * The faults of a value, with the texts of the API server for custom resources. `path` is where the
 * value stands: "" for a whole object, "status" for its status. Embedded resources and lists of type
 * set and map are checked too. Faults come in the order of the schema's properties; the API server's
 * is random.
 *
 * With `before`, the value that this one replaces, faults of what did not change are forgiven
 * ("ratcheting"); list keys are not checked if `before` had repeated ones already.
 */
export function validateValue(
  schema: Schema,
  value: unknown,
  path: string,
  before?: unknown,
): FieldError[] {
  const prefix = path === "" ? undefined : path;
  const result = checkValue({ schema, name: "", before }, value);
  const faults = result.faults.map((fault) => fault.at(prefix));
  if (before !== undefined && listFaults(schema, before, path).some(isListFault)) {
    return [...faults, ...listFaults(schema, value, path).filter((fault) => !isListFault(fault))];
  }
  return [...faults, ...listFaults(schema, value, path)];
}

/** A schema and where it is applied. */
export interface SchemaPlace {
  readonly schema: Schema;
  /** "spec.ports[0].name"; "" for the whole. */
  readonly name: string;
  /** What was there before; undefined: nothing, or nothing that can be matched. */
  readonly before?: unknown;
}

/** What a schema says of a value, alternatives included. */
function checkValue(place: SchemaPlace, value: unknown): SchemaResult {
  const result = checkAnew(place, value);
  if (result.faults.length === 0 || place.before === undefined) return result;
  return sameJson(place.before, value) ? newResult() : result;
}

function checkAnew(place: SchemaPlace, value: unknown): SchemaResult {
  const { schema, name } = place;
  const result = newResult();
  if (value === null) {
    merge(result, checkType(schema, name, value));
    merge(result, checkEnum(schema, name, value));
    return result;
  }
  for (const check of checksOf(schema, value)) {
    merge(result, check(place, value));
    result.matchCount++;
  }
  result.matchCount++;
  return result;
}

type Check = (place: SchemaPlace, value: unknown) => SchemaResult;

/** In the API server's order, which decides which alternative is reported. */
function checksOf(schema: Schema, value: unknown): Check[] {
  const checks: Check[] = [];
  if (schema.type || schema.format || schema["x-kubernetes-int-or-string"]) {
    checks.push((place, each) => checkType(place.schema, place.name, each));
  }
  checks.push((place, each) => checkAlternatives(place, each, checkValue));
  if (typeof value === "string") checks.push((at, each) => checkString(at, each as string));
  if (typeof value === "number") checks.push((at, each) => checkNumber(at, each as number));
  if (Array.isArray(value)) checks.push((at, each) => checkArray(at, each as unknown[]));
  checks.push((place, each) => checkEnum(place.schema, place.name, each));
  if (isMap(value)) checks.push((at, each) => checkObject(at, each as Json));
  return checks;
}

function checkEnum({ enum: values }: Schema, name: string, value: unknown): SchemaResult {
  if (!values || values.length === 0) return newResult();
  if (values.some((each) => each !== null && sameJson(each, value))) return newResult();
  return newResult(enumFault(name, value, values));
}

function checkArray({ schema, name, before }: SchemaPlace, items: unknown[]): SchemaResult {
  const result = newResult();
  const { items: schemaOfItems, minItems, maxItems } = schema;
  if (schemaOfItems) {
    const match = itemMatcher(schema, before);
    items.forEach((item, index) => {
      const place = {
        schema: schemaOfItems,
        name: `${name}[${index}]`,
        before: match(item, index),
      };
      merge(result, checkValue(place, item));
    });
  }
  const count = items.length;
  if (minItems !== undefined && count < minItems) {
    addFault(result, bodyFault(name, count, `should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && count > maxItems) {
    addFault(result, tooManyFault(name, "items", { actual: count, max: maxItems }));
  }
  if (schema.uniqueItems && items.some((item, index) => indexOfEqual(items, item) < index)) {
    addFault(result, bodyFault(name, null, "shouldn't contain duplicates"));
  }
  result.matchCount++;
  return result;
}

function indexOfEqual(items: readonly unknown[], wanted: unknown): number {
  return items.findIndex((item) => sameJson(item, wanted));
}

/** Finds the item that stood for another before: by its keys in lists of type map, else none. */
function itemMatcher(schema: Schema, before: unknown): (item: unknown, index: number) => unknown {
  const keys = schema["x-kubernetes-list-map-keys"];
  if (!Array.isArray(before) || schema["x-kubernetes-list-type"] !== "map" || !keys) {
    return () => undefined;
  }
  const keysOf = (item: unknown) => keys.map((key) => (isMap(item) ? item[key] : undefined));
  return (item) => before.find((each) => sameJson(keysOf(each), keysOf(item)));
}

function checkObject({ schema, name, before }: SchemaPlace, value: Json): SchemaResult {
  const result = newResult();
  checkPropertyCount(schema, name, { result, count: Object.keys(value).length });
  const earlier = isMap(before) ? before : {};
  const { properties = {}, additionalProperties } = schema;
  for (const [key, each] of Object.entries(value)) {
    if (Object.hasOwn(properties, key)) continue;
    const path = `${name}.${key}`;
    if (additionalProperties === false) {
      addFault(result, forbiddenPropertyFault(name, key));
    } else if (typeof additionalProperties === "object") {
      const place = { schema: additionalProperties, name: path, before: earlier[key] };
      merge(result, checkValue(place, each));
    }
  }
  for (const [key, schemaOfKey] of Object.entries(properties)) {
    if (!Object.hasOwn(value, key)) continue;
    const place = {
      schema: schemaOfKey,
      name: name === "" ? key : `${name}.${key}`,
      before: earlier[key],
    };
    merge(result, checkValue(place, value[key]));
  }
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(value, key)) addFault(result, requiredFault(`${name}.${key}`));
  }
  return result;
}

function checkPropertyCount(
  { minProperties, maxProperties }: Schema,
  name: string,
  { result, count }: { readonly result: SchemaResult; readonly count: number },
): void {
  if (minProperties !== undefined && count < minProperties) {
    addFault(result, bodyFault(name, count, `should have at least ${minProperties} properties`));
  }
  if (maxProperties !== undefined && count > maxProperties) {
    addFault(result, tooManyFault(name, "properties", { actual: count, max: maxProperties }));
  }
}

function isListFault({ reason }: FieldError): boolean {
  return reason === "FieldValueDuplicate";
}
