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
 * optional lists and maps are gone. The published schemas mark structs with a default of {}.
 */
function asDecoded(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item) => asDecoded(items, item)) : value;
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
  const properties = { ...schema.properties, metadata: { ...OBJECT_META, default: {} } };
  const decoded = mapIn(asDecoded({ ...schema, properties }, value)) ?? {};
  const { managedFields } = mapIn(value.metadata) ?? {};
  if (managedFields === undefined) return decoded;
  return { ...decoded, metadata: { ...mapIn(decoded.metadata), managedFields } };
}

function decodedMetadata({ metadata }: Json): { readonly metadata?: unknown } {
  return metadata === undefined ? {} : { metadata: asDecoded(OBJECT_META, metadata) };
}

/** Decodes the metadata of the resources that stand in a custom one. */
function withEmbedded(schema: Schema, value: unknown): unknown {
  if (!holdsEmbedded(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => withEmbedded(schema.items ?? {}, item));
  if (!isMap(value)) return value;
  const more = schema.additionalProperties;
  const out: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const inner = schema.properties?.[name] ?? (typeof more === "object" ? more : {});
    out[name] = withEmbedded(inner, field);
  }
  return schema["x-kubernetes-embedded-resource"] ? { ...out, ...decodedMetadata(value) } : out;
}

/** Safe to lose. */
const embedding = new WeakMap<Schema, boolean>();

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
  const out: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const field = decodedField(property, value[name], schema.required?.includes(name) ?? false);
    if (field !== undefined) out[name] = field;
  }
  for (const [name, field] of Object.entries(value)) {
    if (!schema.properties?.[name]) out[name] = field;
  }
  return out;
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
