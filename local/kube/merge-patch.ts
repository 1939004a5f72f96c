import { ApiError } from "./api-error.ts";
import { isMap, type Json } from "./fields-value.ts";

/**
 * The object with a JSON merge patch on top: null removes a field, lists are replaced.
 * Rejects a patch that is no object with 400. https://www.rfc-editor.org/rfc/rfc7396
 */
export function mergePatch(live: Json, patch: unknown): Json {
  if (isMap(patch)) return mergedMaps(live, patch);
  throw new ApiError({ code: 400, reason: "BadRequest", message: faultText(patch) });
}

function mergedMaps(live: Json, patch: Json): Json {
  const out: Record<string, unknown> = { ...live };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete out[name];
    else out[name] = merged(out[name], value);
  }
  return out;
}

function merged(live: unknown, patch: unknown): unknown {
  if (isMap(live) && isMap(patch)) return mergedMaps(live, patch);
  // A list that replaces another value keeps its nulls; only new values lose theirs.
  return live === undefined || live === null || !isMap(live) ? withoutNulls(patch) : patch;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isMap(value)) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutNulls(field)]));
}

function faultText(patch: unknown): string {
  if (patch === null || patch === undefined) return "Invalid JSON Patch";
  const kind = Array.isArray(patch) ? "array" : typeof patch === "boolean" ? "bool" : typeof patch;
  return `error decoding patch: json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
}
