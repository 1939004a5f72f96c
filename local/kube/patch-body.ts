import { ApiError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { type BodyText, duplicateFaults } from "./body-faults.ts";
import { goText } from "./fields-text.ts";
import { isMap, type Json } from "./fields-value.ts";
import { jsonPatch } from "./json-patch.ts";
import { type ScannedField, scanJson } from "./json-scan.ts";
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
  const type = Object.hasOwn(TYPES, media) ? TYPES[media] : undefined;
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

/** A patch that was read. */
export interface PatchBody {
  /** What it makes of an object. Throws ApiError where it does not fit. */
  readonly applied: (live: ApiObject) => Json;
  readonly text: BodyText;
}

/** Reads a patch that is no apply. Throws ApiError 400 where the body is none. */
export function patchBodyOf(
  type: Exclude<PatchType, "apply">,
  body: string,
  resource: ServedResource,
): PatchBody {
  const { patch, fields } = parsed(body);
  if (type === "merge") {
    const faults = duplicateFaults(fields);
    return { applied: (live) => mergePatch(live, patch), text: { faults } };
  }
  if (type === "strategic") {
    const faults = duplicateFaults(fields);
    const text = { faults, shown: goText(patch), converted: true };
    const applied = (live: ApiObject) => {
      const merged = strategicMerge(live, patch ?? {}, resource.schema);
      // The kind that such a patch names says nothing.
      return { ...merged, apiVersion: live.apiVersion, kind: live.kind };
    };
    return { applied, text };
  }
  return {
    applied: (live) => {
      const patched = jsonPatch(live, patch);
      if (isMap(patched)) return patched;
      throw badRequest("Invalid JSON Patch");
    },
    text: { faults: operationFaults(fields) },
  };
}

const OPERATION = /^\[\d+\]\.([^.[]+)$/;
const OPERATION_FIELDS = ["op", "path", "from", "value"];

/** What strict decoding has against the operations of a JSON patch. */
function operationFaults(fields: readonly ScannedField[]): readonly string[] {
  const own = fields.filter(({ path }) => OPERATION.test(path));
  const unknown = own
    .filter(({ path }) => !OPERATION_FIELDS.includes(OPERATION.exec(path)?.[1] ?? ""))
    .map(({ path }) => `json patch unknown field ${JSON.stringify(path)}`);
  return [...duplicateFaults(own, "json patch "), ...new Set(unknown)];
}

function parsed(body: string): { patch: unknown; fields: readonly ScannedField[] } {
  try {
    const fields = scanJson(body);
    return { patch: JSON.parse(body) as unknown, fields };
  } catch {
    throw badRequest("invalid JSON patch");
  }
}
