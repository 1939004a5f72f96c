import { changedFields, changedItems } from "./changed-fields.ts";
import { OBJECT_META } from "./fields-meta.ts";
import { isMap, type Json, mapIn } from "./fields-value.ts";
import type { Schema } from "./schema.ts";

/** What is needed of a ServedResource. */
interface DecodedKind {
  readonly custom: boolean;
  readonly schema: Schema;
}

/**
 * An object of a built-in kind as the server holds it once decoded: structs that are missing are
 * there and empty ("resources": {}), required fields have their zero value, null fields and empty
 * optional lists and maps are gone. The published schemas mark structs with a default of {}. Shares
 * what needs no change.
 */
function asDecoded(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? changedItems(value, (item: unknown) => asDecoded(items, item)) : value;
  }
  if (schema.properties) return decodedStruct(schema, mapIn(value) ?? {});
  const { additionalProperties } = schema;
  if (!isMap(value) || typeof additionalProperties !== "object") return value;
  return decodedMap(additionalProperties, value);
}

/**
 * As `asDecoded`, for whole objects. Of custom resources only metadata is decoded that way, their
 * own and that of embedded resources. metadata.managedFields of built-in kinds stays as it is: an
 * empty list there says something.
 */
export function decodedObject({ custom, schema }: DecodedKind, value: Json): Json {
  if (custom) return { ...mapIn(withEmbedded(schema, value)), ...decodedMetadata(value) };
  const decoded = mapIn(asDecoded(wholeOf(schema), value)) ?? {};
  const { managedFields } = mapIn(value.metadata) ?? {};
  if (managedFields === undefined) return decoded;
  return { ...decoded, metadata: { ...mapIn(decoded.metadata), managedFields } };
}

/** The schema with that of real metadata. */
function wholeOf(schema: Schema): Schema {
  const properties = { ...schema.properties, metadata: { ...OBJECT_META, default: {} } };
  const whole = wholes.get(schema) ?? { ...schema, properties };
  wholes.set(schema, whole);
  return whole;
}

function decodedMetadata({ metadata }: Json): { readonly metadata?: unknown } {
  return metadata === undefined ? {} : { metadata: asDecoded(OBJECT_META, metadata) };
}

/** Decodes the metadata of the resources that stand in a custom one. */
function withEmbedded(schema: Schema, value: unknown): unknown {
  if (!holdsEmbedded(schema)) return value;
  if (Array.isArray(value)) {
    return changedItems(value, (item: unknown) => withEmbedded(schema.items ?? {}, item));
  }
  if (!isMap(value)) return value;
  const more = schema.additionalProperties;
  const out = changedFields(value, (field, name) => {
    return withEmbedded(schema.properties?.[name] ?? (typeof more === "object" ? more : {}), field);
  });
  return schema["x-kubernetes-embedded-resource"] ? { ...out, ...decodedMetadata(value) } : out;
}

/** Safe to lose, all of them. */
const wholes = new WeakMap<Schema, Schema>();
const embedding = new WeakMap<Schema, boolean>();
const absents = new WeakMap<Schema, readonly (readonly [string, unknown])[]>();

function holdsEmbedded(schema: Schema): boolean {
  const known = embedding.get(schema);
  if (known !== undefined) return known;
  const { items, additionalProperties: more, properties = {} } = schema;
  const inner = [items, typeof more === "object" ? more : undefined, ...Object.values(properties)];
  const holds =
    schema["x-kubernetes-embedded-resource"] === true ||
    inner.some((one) => one !== undefined && holdsEmbedded(one));
  embedding.set(schema, holds);
  return holds;
}

function decodedStruct(schema: Schema, value: Json): Json {
  const { properties = {}, required = [] } = schema;
  const present = changedFields(value, (field, name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return property ? decodedField(property, field, required.includes(name)) : field;
  });
  const absent = absentFields(schema).filter(([name]) => present[name] === undefined);
  return absent.length === 0 ? present : { ...present, ...Object.fromEntries(absent) };
}

/** The fields that a struct has although nobody gives them. */
function absentFields(schema: Schema): readonly (readonly [string, unknown])[] {
  const known = absents.get(schema);
  if (known) return known;
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties)
    .map(([name, each]) => [name, decodedField(each, undefined, required.includes(name))] as const)
    .filter(([, field]) => field !== undefined);
  absents.set(schema, fields);
  return fields;
}

function decodedField(schema: Schema, value: unknown, required: boolean): unknown {
  const zero = zeroOf(schema);
  if (value === undefined || value === null) {
    if (zero !== undefined) return isMap(zero) ? asDecoded(schema, zero) : zero;
    return schema.default === null || (required && !isScalar(schema)) ? null : undefined;
  }
  if (!required && zero !== null && isEmptyContainer(schema, value)) return undefined;
  return asDecoded(schema, value);
}

function decodedMap(schema: Schema, value: Json): Json {
  const entries = Object.entries(value).map(([name, field]) => {
    if (field !== null) return [name, asDecoded(schema, field)];
    if (schema.type === "string") return [name, ""];
    return [name, isScalar(schema) ? 0 : null];
  });
  return Object.fromEntries(entries);
}

/** The default if it is what Go has for a field nobody set; other defaults are no business here. */
function zeroOf(schema: Schema): unknown {
  const value = schema.default;
  if (value === "" || value === 0 || value === false || value === null) return value;
  return isMap(value) && Object.keys(value).length === 0 ? value : undefined;
}

function isScalar(schema: Schema): boolean {
  return schema.type !== "object" && schema.type !== "array" && !schema.properties;
}

/** Lists and maps; an empty struct behind a pointer is kept. */
function isEmptyContainer(schema: Schema, value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  const map = schema.additionalProperties !== undefined && !schema.properties;
  return map && isMap(value) && Object.keys(value).length === 0;
}
