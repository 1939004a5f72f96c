import { ApiError } from "./api-error.ts";
import { badRequest } from "./list-error.ts";
import type { Query } from "./list-options.ts";

/** The form in which objects are answered. */
export type Format =
  | { readonly as: "Object" }
  | { readonly as: "PartialObjectMetadata" | "PartialObjectMetadataList"; readonly version: string }
  | { readonly as: "Table"; readonly version: string; readonly includeObject: IncludeObject };

/** How much of an object stands in its row of a Table. */
export type IncludeObject = "None" | "Metadata" | "Object";

export interface Negotiation {
  /** The Accept header. */
  readonly accept: string | undefined;
  readonly query: Query;
  /** Custom resources refuse with other words. */
  readonly custom: boolean;
  /** Lists and watches, which name the forms of watches too when they refuse. */
  readonly list: boolean;
}

/**
 * Takes the first form of the Accept header that this server has: JSON, in the forms of objects,
 * Table and PartialObjectMetadata. Throws an ApiError 406 with the API server's words where there
 * is none. Protobuf and YAML, which the API server has, are passed over.
 */
export function negotiate(negotiation: Negotiation): Format {
  const { accept = "", query } = negotiation;
  if (accept.trim() === "") return { as: "Object" };
  const ranges = rangesOf(accept);
  for (const range of ranges) {
    // Routes of built-in kinds match whole media types, or any at all.
    if (range.type === "application/*" && !negotiation.custom) continue;
    if (!JSON_RANGES.has(range.type)) continue;
    const format = formatOf(range.parameters, query);
    if (format) return format;
  }
  throw notAcceptable(negotiation, ranges);
}

const JSON_RANGES = new Set(["application/json", "application/*", "*/*"]);
const MEDIA_TYPES = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
const WATCH_TYPES = MEDIA_TYPES.filter((type) => !type.endsWith("yaml")).map(
  (type) => `${type};stream=watch`,
);

interface MediaRange {
  readonly type: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Best first; equally good ones in the order of the header. */
function rangesOf(accept: string): MediaRange[] {
  return accept
    .split(",")
    .map((text) => {
      const [type = "", ...rest] = text.split(";").map((part) => part.trim());
      const parameters = new Map(
        rest.map((part) => {
          const [name = "", value = ""] = part.split("=").map((each) => each.trim());
          return [name, value] as const;
        }),
      );
      const quality = Number(parameters.get("q") ?? 1);
      parameters.delete("q");
      return { type: type.toLowerCase(), quality: Number.isNaN(quality) ? 1 : quality, parameters };
    })
    .filter(({ type }) => type !== "")
    .sort((one, other) => other.quality - one.quality);
}

/** Undefined where a parameter asks for what this server does not have. */
function formatOf(parameters: ReadonlyMap<string, string>, query: Query): Format | undefined {
  const stream = parameters.get("stream") ?? "";
  if (stream !== "" && stream !== "watch") return undefined;
  if ((parameters.get("sv") ?? "") !== "") return undefined;
  const as = parameters.get("as");
  const group = parameters.get("g");
  const version = parameters.get("v");
  if (as === undefined && group === undefined && version === undefined) return { as: "Object" };
  if (group !== "meta.k8s.io" || (version !== "v1" && version !== "v1beta1")) return undefined;
  if (as === "Table") return { as, version, includeObject: includeObjectOf(query) };
  if (as === "PartialObjectMetadata" || as === "PartialObjectMetadataList") return { as, version };
  return undefined;
}

function includeObjectOf(query: Query): IncludeObject {
  const asked = query.includeObject ?? "";
  if (asked === "" || asked === "Metadata") return "Metadata";
  if (asked === "None" || asked === "Object") return asked;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(asked)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

function notAcceptable({ custom, list }: Negotiation, ranges: readonly MediaRange[]): ApiError {
  const known = MEDIA_TYPES.join(", ");
  // Built-in kinds are refused earlier in the API server where no type is known at all.
  if (!custom && !ranges.some(({ type }) => MEDIA_TYPES.includes(type) || type === "*/*")) {
    const all = list ? [...MEDIA_TYPES, ...WATCH_TYPES].join(", ") : known;
    const message = `406: Not Acceptable\n\nAvailable representations: ${all}`;
    return new ApiError({ code: 406, reason: "NotAcceptable", message, details: {} });
  }
  const message = `only the following media types are accepted: ${known}`;
  return new ApiError({ code: 406, reason: "NotAcceptable", message });
}
