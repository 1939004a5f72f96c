import { ApiError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { isMap, type Json } from "./fields-value.ts";
import { jsonPatch } from "./json-patch.ts";
import { mergePatch } from "./merge-patch.ts";
import { badRequest } from "./registry-errors.ts";
import type { ServedResource } from "./served-resource.ts";
import { strategicMerge } from "./strategic-merge.ts";

export type PatchType = "json" | "merge" | "strategic" | "apply";

const TYPES: Readonly<Record<string, PatchType>> = {
  "application/json-patch+json": "json",
  "application/merge-patch+json": "merge",
  "application/strategic-merge-patch+json": "strategic",
  "application/apply-patch+yaml": "apply",
};

/** The type of a patch, by the media type of its body. Throws ApiError 415. */
export function patchTypeOf(
  contentType: string | undefined,
  { custom }: ServedResource,
): PatchType {
  const media = (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const type = TYPES[media];
  if (type !== undefined && !(custom && type === "strategic")) return type;
  if (!custom) {
    const message = "415: Unsupported Media Type";
    throw new ApiError({ code: 415, reason: "UnsupportedMediaType", message, details: {} });
  }
  const known = Object.keys(TYPES).filter((each) => !each.includes("strategic"));
  throw new ApiError({
    code: 415,
    reason: "UnsupportedMediaType",
    message: `the body of the request was in an unknown format - accepted media types include: ${known.join(", ")}`,
  });
}

/** What a patch makes of an object. Throws ApiError where the body is none. */
export function patchOf(
  type: Exclude<PatchType, "apply">,
  body: string,
  resource: ServedResource,
): (live: ApiObject) => Json {
  const patch = parsed(body);
  return (live) => {
    const plain = live as unknown as Json;
    if (type === "merge") return mergePatch(plain, patch);
    if (type === "strategic") return strategicMerge(plain, patch, resource.schema);
    const patched = jsonPatch(plain, patch);
    if (isMap(patched)) return patched;
    throw badRequest("Invalid JSON Patch");
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw badRequest("invalid JSON patch");
  }
}
