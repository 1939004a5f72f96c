import { combine } from "./combine.ts";
import { lengthsOf } from "./convert-lengths.ts";
import type { StructuralSchema } from "./custom-resource-definition.ts";
import { type AnyCheck, checksOf, type DefOf, fault, type Place } from "./place.ts";
import { re2Pattern } from "./re2-pattern.ts";

/** Strings. Their lengths are counted in code points, by zod as by the API server. */
export function stringSchema(def: DefOf<"string">, place: Place): StructuralSchema {
  if ("coerce" in def && def.coerce) {
    return fault(place, "the API server does not convert values to strings", "use z.string()");
  }
  const { least, most } = lengthsOf(def, place);
  const limits: StructuralSchema = {
    type: "string",
    ...(least !== undefined && { minLength: least }),
    ...(most !== undefined && { maxLength: most }),
  };
  return checksOf(def)
    .filter(({ check }) => check === "string_format")
    .map((check) => formatOf(check, place))
    .reduce(combine, limits);
}

/** Template literals are strings of a pattern. */
export function templateSchema({ pattern }: { readonly pattern: RegExp }, place: Place) {
  return { type: "string", ...patternOf(pattern, place) } as const;
}

/** What the API server calls the formats that zod's expressions describe, or that have none. */
const FORMATS: Readonly<Record<string, string>> = {
  base64: "byte",
  date: "date",
  datetime: "date-time",
  email: "email",
  hostname: "hostname",
  ipv4: "ipv4",
  ipv6: "ipv6",
  url: "uri",
};

/** Formats with rules that their expressions do not tell, and that the API server does not know. */
const INSTEAD: Readonly<Record<string, string>> = {
  credit_card: "use .regex()",
  duration: "durations of Kubernetes are Go's, as 1h30m: use duration() of tidegate/crd",
  emoji: "use .regex()",
  iban: "use .regex()",
  json_string: "use z.unknown(), which takes JSON as it is",
  jwt: "use .regex()",
};

/** Its expression in zod leaves the lengths out. */
const BASE64URL = /^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$/;

function formatOf(check: AnyCheck, place: Place): StructuralSchema {
  const { format = "", pattern, hostname, protocol, local, precision } = check;
  const instead = INSTEAD[format];
  if (instead) return fault(place, `the API server cannot check ${format}`, instead);
  if (format === "datetime" && (local || typeof precision === "number")) {
    return fault(place, "the API server knows times with a zone only", "use z.iso.datetime()");
  }
  if (hostname || protocol) {
    return fault(place, "a URL of some hosts or schemes has no form", "use z.url().regex(...)");
  }
  if (format === "starts_with") return { pattern: `^${quoted(check.prefix ?? "")}` };
  if (format === "ends_with") return { pattern: `${quoted(check.suffix ?? "")}$` };
  if (format === "includes") return includes(check, place);
  if (format === "base64url") return patternOf(BASE64URL, place);
  if (FORMATS[format] !== undefined) return { format: FORMATS[format] };
  if (!pattern) return fault(place, `the API server does not know ${format}`, "use .regex()");
  return { ...(format === "uuid" && { format }), ...patternOf(pattern, place) };
}

function includes({ includes: text = "", position = 0 }: AnyCheck, place: Place) {
  if (position === 0) return { pattern: quoted(text) };
  return fault(place, "includes() from a position has no form", "use .regex()");
}

function patternOf(expression: RegExp, place: Place): StructuralSchema {
  const { fault: got, ...pattern } = re2Pattern(expression);
  if (got === undefined) return pattern;
  const why = `the patterns of the API server (RE2) have no ${got}, as in ${expression}`;
  return fault(place, why, "write the pattern without, or use cel()");
}

function quoted(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
