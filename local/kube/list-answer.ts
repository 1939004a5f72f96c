import { ApiError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import type { Format } from "./list-format.ts";
import type { ListedObjects } from "./list-objects.ts";
import { objectJson, untypedJson } from "./object-json.ts";
import { partialMetadata, partialMetadataList, wrongPartial } from "./partial-metadata.ts";
import type { ServedResource } from "./served-resource.ts";
import { tableOf, tableOfObject } from "./table.ts";

export interface AnswerOptions {
  readonly resource: ServedResource;
  readonly format: Format;
  /** Ages in tables are counted to it. */
  readonly nowMs: number;
}

/** The body of an answer with one object, in the form that was asked for. May throw an ApiError 406. */
export function objectAnswer(
  object: ApiObject,
  { resource, format, nowMs }: AnswerOptions,
): object {
  switch (format.as) {
    case "Object":
      return object;
    case "Table":
      return tableOfObject(object, { ...format, resource, nowMs });
    case "PartialObjectMetadata":
      return partialMetadata(object, format.version);
    default:
      if (resource.custom) throw NO_LIST;
      throw wrongPartial(format.as, "object", goType(resource, ""));
  }
}

/** The body of the answer to a list, in the form that was asked for. May throw an ApiError 406. */
export function listAnswer(
  list: ListedObjects,
  { resource, format, nowMs }: AnswerOptions,
): object {
  switch (format.as) {
    case "Object": {
      const items = resource.custom ? list.items : list.items.map(untyped);
      return { ...typeOf(resource), metadata: metadataOf(list, resource), items };
    }
    case "Table":
      return tableOf(list, { ...format, resource, nowMs });
    case "PartialObjectMetadataList":
      return partialMetadataList(list, format.version);
    default:
      throw wrongPartial(format.as, "list", goType(resource, "List"));
  }
}

/** The same as text; faster, because the JSON of each object is made once. */
export function listAnswerJson(list: ListedObjects, options: AnswerOptions): string {
  if (options.format.as !== "Object") return JSON.stringify(listAnswer(list, options));
  const { resource } = options;
  const items = list.items.map(resource.custom ? objectJson : untypedJson).join(",");
  const head = JSON.stringify({ ...typeOf(resource), metadata: metadataOf(list, resource) });
  return `${head.slice(0, -1)},"items":[${items}]}`;
}

/** As the API server answers it. */
const NO_LIST = new ApiError({ code: 500, reason: "", message: "content is not a list" });

function typeOf({ group, version, listKind }: ServedResource) {
  return { kind: listKind, apiVersion: group === "" ? version : `${group}/${version}` };
}

/** Lists of custom resources say where they go on even at their end. */
function metadataOf({ metadata }: ListedObjects, { custom }: ServedResource) {
  return custom ? { continue: "", ...metadata } : metadata;
}

/** Items of built-in kinds do not say what they are. */
function untyped({ apiVersion: _version, kind: _kind, ...rest }: ApiObject): object {
  return rest;
}

/** The type of the API server's Go code that its refusals name. */
function goType({ custom, group, kind }: ServedResource, suffix: "" | "List"): string {
  if (custom) return `*unstructured.Unstructured${suffix}`;
  const name = group.split(".")[0];
  return `*${name === "" ? "core" : name}.${kind}${suffix}`;
}
