import { OBJECT_META } from "./fields-meta.ts";
import { goText } from "./fields-text.ts";
import { isMap, type Json } from "./fields-value.ts";
import type { Schema } from "./schema.ts";
import {
  BAD_PRIMITIVE_LIST,
  BAD_RETAIN_KEYS,
  badRequest,
  internalError,
  typeMismatch,
} from "./strategic-merge-error.ts";
import { type ListRule, mergedList, ordered, withoutDirectives } from "./strategic-merge-list.ts";

const DELETE_FROM = "$deleteFromPrimitiveList/";
const ELEMENT_ORDER = "$setElementOrder/";

/**
 * The object with a strategic merge patch on top: maps and the lists that the schema names merge
 * keys for are merged, all else is replaced. Knows $patch, $setElementOrder, $retainKeys and
 * $deleteFromPrimitiveList. For built-in kinds only; the schema is that of the whole object.
 *
 * Rejects as the server does: 400 for directives of the wrong form, 422 for lists of lists, and 500
 * (with no reason) for items without their merge key and for unknown directives.
 * https://github.com/kubernetes/apimachinery/blob/master/pkg/util/strategicpatch/patch.go
 */
export function strategicMerge(live: Json, patch: unknown, schema: Schema): Json {
  if (!isMap(patch)) {
    const kind = Array.isArray(patch) ? "array" : typeof patch;
    throw badRequest(
      `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`,
    );
  }
  const properties = { ...schema.properties, metadata: OBJECT_META };
  return mergeMaps(live, patch, { ...schema, properties });
}

/** `schema` is that of the map; undefined where nothing is known of its fields. */
function mergeMaps(live: Json, patch: Json, schema: Schema | undefined): Json {
  if (patch.$patch !== undefined) return replacedMap(patch);
  const rest: Record<string, unknown> = { ...patch };
  const out = retained(live, rest);
  applyElementOrders(out, rest, schema);
  for (const [key, value] of Object.entries(rest)) mergeField(out, { key, value }, schema);
  return out;
}

function schemaOf(schema: Schema | undefined, name: string): Schema | undefined {
  const property = schema?.properties?.[name];
  if (name === "metadata" && property?.type === "object" && !property.properties)
    return OBJECT_META;
  if (property) return property;
  const { additionalProperties } = schema ?? {};
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function strategyOf(schema: Schema | undefined): string | undefined {
  const strategies = schema?.["x-kubernetes-patch-strategy"]?.split(",") ?? [];
  return strategies.find((strategy) => strategy !== "retainKeys");
}

function listRule(list: Schema | undefined, name: string): ListRule {
  return {
    name,
    strategy: strategyOf(list),
    mergeKey: list?.["x-kubernetes-patch-merge-key"] ?? "",
    mergeItem: (live, patch) => mergeMaps(live, patch, list?.items),
  };
}

/** The server also names the Go struct, which schemas do not tell. */
function unknownField(name: string): Error {
  return internalError(`unable to find api field for the json field ${JSON.stringify(name)}`);
}

function replacedMap({ $patch, ...rest }: Json): Json {
  if ($patch === "replace") return rest;
  if ($patch === "delete") return {};
  throw internalError(
    `unknown patch type: ${goText($patch)} in map: ${goText({ $patch, ...rest })}`,
  );
}

/** $retainKeys: only these stay of the live map. Takes the directive out of the patch. */
function retained(live: Json, patch: Record<string, unknown>): Record<string, unknown> {
  const keys = patch.$retainKeys;
  if (keys === undefined) return { ...live };
  delete patch.$retainKeys;
  if (!Array.isArray(keys)) throw badRequest(BAD_RETAIN_KEYS);
  for (const [name, value] of Object.entries(patch)) {
    const directive = name.startsWith(DELETE_FROM) || name.startsWith(ELEMENT_ORDER);
    if (value !== null && !directive && !keys.includes(name)) throw badRequest(BAD_RETAIN_KEYS);
  }
  return Object.fromEntries(Object.entries(live).filter(([name]) => keys.includes(name)));
}

/** Merges the lists that the patch gives an order for, and takes them out of the patch. */
function applyElementOrders(
  out: Record<string, unknown>,
  patch: Record<string, unknown>,
  schema: Schema | undefined,
): void {
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(ELEMENT_ORDER)) continue;
    delete patch[key];
    const name = key.slice(ELEMENT_ORDER.length);
    if (!Array.isArray(order)) throw typeMismatch([], order);
    const list = schemaOf(schema, name);
    if (!list) throw unknownField(name);
    const [live, items] = [out[name], patch[name]];
    if (live !== undefined && !Array.isArray(live)) throw typeMismatch([], live);
    if (items !== undefined && !Array.isArray(items)) throw typeMismatch([], items);
    const merged = ordered({ live, items, order }, listRule(list, name));
    if (merged) out[name] = merged;
    if (merged) delete patch[name];
  }
}

function mergeField(
  out: Record<string, unknown>,
  { key, value }: { key: string; value: unknown },
  schema: Schema | undefined,
): void {
  const deletion = key.startsWith("$deleteFromPrimitiveList");
  if (deletion && !key.startsWith(DELETE_FROM)) throw badRequest(BAD_PRIMITIVE_LIST);
  const name = deletion ? key.slice(DELETE_FROM.length) : key;
  if (value === null) {
    delete out[name];
    return;
  }
  const live = out[name];
  if (Array.isArray(live) && Array.isArray(value)) {
    out[name] = mergedList(
      { live, items: value, deletion },
      listRule(schemaOf(schema, name), name),
    );
  } else if (isMap(live) && isMap(value)) {
    out[name] = mergedMap(live, value, schemaOf(schema, name));
  } else if (!deletion) {
    setField(out, name, value);
  }
}

function mergedMap(live: Json, patch: Json, schema: Schema | undefined): Json {
  return strategyOf(schema) === "replace" ? patch : mergeMaps(live, patch, schema);
}

function setField(out: Record<string, unknown>, name: string, value: unknown): void {
  const same = typeof out[name] === typeof value && typeof value !== "object";
  const field = withoutDirectives(same ? value : withoutNulls(value));
  if (field === undefined) delete out[name];
  else out[name] = field;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isMap(value)) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutNulls(field)]));
}
