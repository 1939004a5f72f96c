import { OBJECT_META } from "./fields-meta.ts";
import type { Schema } from "./schema.ts";

/**
 * What a value may be, in the terms of merging. A value that could be several things (no type in
 * the schema) is what it turns out to be.
 * https://github.com/kubernetes/kube-openapi/blob/master/pkg/schemaconv/openapi.go
 */
export interface Atom {
  readonly scalar?: "numeric" | "string" | "boolean" | "untyped";
  readonly list?: ListType;
  readonly map?: MapType;
}

export interface ListType {
  /** Items have an identity: their value, or their `keys`. Else the list is one field. */
  readonly associative: boolean;
  readonly keys: readonly string[];
  readonly element: FieldType;
}

export interface MapType {
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, { readonly type: FieldType; readonly default?: unknown }>;
  /** Of fields that are not declared; undefined where there may be none. */
  readonly element: FieldType | undefined;
}

/** Resolved late, as schemas may contain themselves. */
export interface FieldType {
  readonly atom: () => Atom;
}

const UNTYPED: FieldType = { atom: () => UNTYPED_ATOM };
/** Of fields without a schema: maps are granular, lists are one field. */
export const DEDUCED: FieldType = { atom: () => DEDUCED_ATOM };

const UNTYPED_ATOM: Atom = {
  scalar: "untyped",
  list: { associative: false, keys: [], element: UNTYPED },
  map: { atomic: true, fields: new Map(), element: UNTYPED },
};
const DEDUCED_ATOM: Atom = {
  scalar: "untyped",
  list: { associative: false, keys: [], element: UNTYPED },
  map: { atomic: false, fields: new Map(), element: DEDUCED },
};

const STRING: FieldType = { atom: () => ({ scalar: "string" }) };
/** Safe to lose: types are made anew from the same schemas. */
const cache = { plain: new WeakMap<Schema, FieldType>(), open: new WeakMap<Schema, FieldType>() };
const roots = new WeakMap<Schema, FieldType>();

/** The type of whole objects of a kind: its schema with apiVersion, kind and the real metadata. */
export function objectType(schema: Schema): FieldType {
  const known = roots.get(schema);
  if (known) return known;
  const inner = typeOf(schema, false).atom().map;
  const type = withObjectFields(inner ?? { atomic: false, fields: new Map(), element: undefined });
  roots.set(schema, type);
  return type;
}

/** The atom with only what fits the value; all of it if nothing fits. */
export function deduce(atom: Atom, value: unknown): Atom {
  if (value === undefined || value === null) return atom;
  if (Array.isArray(value)) return atom.list ? { list: atom.list } : atom;
  if (typeof value === "object") return atom.map ? { map: atom.map } : atom;
  return atom.scalar ? { scalar: atom.scalar } : atom;
}

export function fieldTypeOf(map: MapType, name: string): FieldType {
  return map.fields.get(name)?.type ?? map.element ?? DEDUCED;
}

/** `open`: an ancestor keeps unknown fields. */
function typeOf(schema: Schema, open: boolean): FieldType {
  const kept = open || schema["x-kubernetes-preserve-unknown-fields"] === true;
  const known = (kept ? cache.open : cache.plain).get(schema);
  if (known) return known;
  let atom: Atom | undefined;
  const type = { atom: () => (atom ??= atomOf(schema, kept)) };
  (kept ? cache.open : cache.plain).set(schema, type);
  return type;
}

function atomOf(schema: Schema, open: boolean): Atom {
  if (schema["x-kubernetes-embedded-resource"]) {
    return withObjectFields(mapOf(schema, open)).atom();
  }
  switch (schema.type) {
    case "object":
      return { map: mapOf(schema, open) };
    case "array":
      return { list: listOf(schema, open) };
    case "integer":
    case "number":
      return { scalar: "numeric" };
    case "boolean":
      return { scalar: "boolean" };
    case "string":
      return { scalar: [undefined, "", "byte"].includes(schema.format) ? "string" : "untyped" };
    case undefined:
      return { scalar: "untyped", list: listOf(schema, open), map: mapOf(schema, open) };
  }
}

function listOf(schema: Schema, open: boolean): ListType {
  const element = schema.items ? typeOf(schema.items, open) : UNTYPED;
  const { associative, keys } = listIdentity(schema);
  return { associative, keys, element };
}

function listIdentity(schema: Schema): { associative: boolean; keys: readonly string[] } {
  const listType = schema["x-kubernetes-list-type"];
  if (listType === "atomic") return { associative: false, keys: [] };
  if (listType === "set") return { associative: true, keys: [] };
  if (listType === "map") {
    return { associative: true, keys: schema["x-kubernetes-list-map-keys"] ?? [] };
  }
  const strategy = schema["x-kubernetes-patch-strategy"];
  const mergeKey = schema["x-kubernetes-patch-merge-key"];
  const merged = strategy === "merge" || strategy === "merge,retainKeys";
  return { associative: merged, keys: merged && mergeKey ? [mergeKey] : [] };
}

function mapOf(schema: Schema, open: boolean): MapType {
  const fields = new Map<string, { type: FieldType; default?: unknown }>();
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const type = typeOf(isBareMetadata(name, member) ? OBJECT_META : member, open);
    fields.set(name, { type, default: member.default });
  }
  const atomic = schema["x-kubernetes-map-type"] === "atomic";
  return { atomic, fields, element: elementOf(schema, open) };
}

function elementOf(schema: Schema, open: boolean): FieldType | undefined {
  const { additionalProperties, properties = {} } = schema;
  if (additionalProperties === true) return DEDUCED;
  if (additionalProperties === false) return undefined;
  if (additionalProperties) return typeOf(additionalProperties, open);
  return open || Object.keys(properties).length === 0 ? DEDUCED : undefined;
}

/** Schemas of whole objects name their metadata without its fields. */
function isBareMetadata(name: string, schema: Schema): boolean {
  if (name !== "metadata" || schema.type !== "object") return false;
  return !schema.properties && !schema.additionalProperties;
}

function withObjectFields(map: MapType): FieldType {
  const fields = new Map(map.fields);
  for (const name of ["apiVersion", "kind"]) fields.set(name, { type: STRING });
  if (!(fields.get("metadata")?.type.atom().map?.fields.size ?? 0)) {
    fields.set("metadata", { type: typeOf(OBJECT_META, false) });
  }
  const atom: Atom = { map: { ...map, fields } };
  return { atom: () => atom };
}
