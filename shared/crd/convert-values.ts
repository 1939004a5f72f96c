import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { combine } from "./combine.ts";
import { lengthsOf } from "./convert-lengths.ts";
import { element } from "./convert-object.ts";
import type { StructuralSchema } from "./custom-resource-definition.ts";
import { keywordsOf } from "./keywords.ts";
import { below, type DefOf, fault, nullable, type Place } from "./place.ts";

/** Literals and enums: the values, all of one type. */
export function valuesSchema(values: readonly unknown[], place: Place): StructuralSchema {
  const kept = values.filter((value) => value !== null && value !== undefined);
  const types = new Set(kept.map(typeOf));
  const [type] =
    types.size === 2 && !types.has("string") && !types.has("boolean") ? ["number" as const] : types;
  if (!type || (types.size > 1 && type !== "number")) {
    return fault(
      place,
      "literals of several types, or none, have no form",
      "use those of one type",
    );
  }
  const odd = kept.findIndex((value) => !isJson(value));
  if (odd >= 0) {
    const names = kept.map(String);
    return fault(place, `the value ${names[odd]} is none of JSON`, "leave it out");
  }
  const schema = { type, enum: kept };
  return values.includes(null) ? nullable(schema) : schema;
}

/** Not NaN nor endless, and no half of a character, of which JSON on the wire makes another one. */
function isJson(value: unknown): boolean {
  return typeof value === "string"
    ? value.isWellFormed()
    : typeof value !== "number" || Number.isFinite(value);
}

function typeOf(value: unknown): "string" | "boolean" | "integer" | "number" | undefined {
  if (typeof value === "string" || typeof value === "boolean") return typeof value as "string";
  if (typeof value !== "number") return undefined;
  return Number.isInteger(value) ? "integer" : "number";
}

/** Lists. */
export function arraySchema(def: DefOf<"array">, place: Place): StructuralSchema {
  const listType = (def.checks ?? []).map((check) => keywordsOf(check)?.["x-kubernetes-list-type"]);
  const correlatable = place.correlatable && listType.includes("map");
  const items = place.convert(def.element as z.core.$ZodType, {
    ...below(place, "[*]"),
    correlatable,
  });
  const { least, most } = lengthsOf(def, place);
  return {
    type: "array",
    ...(least !== undefined && { minItems: least }),
    ...(most !== undefined && { maxItems: most }),
    items: element(items),
  };
}

/** What both say, of `z.intersection()` and of a pipe without a transform. */
export function bothSchema(
  one: z.core.$ZodType,
  other: z.core.$ZodType,
  place: Place,
): StructuralSchema {
  try {
    return combine(place.convert(one, place), place.convert(other, place));
  } catch (error) {
    const keyword = error instanceof Error ? error.message : String(error);
    return fault(place, `both sides say something else of ${keyword}`, "let them agree");
  }
}

/** A default stands in the schema, so it must be JSON, the same each time, and whole. */
export function defaultSchema(
  def: DefOf<"default"> | DefOf<"prefault">,
  place: Place,
): StructuralSchema {
  const schema = place.convert(def.innerType as z.core.$ZodType, place);
  const [value, again] = [def.defaultValue, def.defaultValue];
  if (value === undefined) return schema;
  if (value === null) {
    return fault(place, "the API server fills in no default of null", "use .optional()");
  }
  if (
    !isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value) ||
    !isDeepStrictEqual(value, again)
  ) {
    return fault(
      place,
      "the default is no JSON, or another one each time",
      "set it in the reconciler",
    );
  }
  const filled = z.safeParse(def.innerType as z.core.$ZodType, value);
  if (!filled.success) {
    const [issue] = filled.error.issues;
    return fault(
      place,
      `the default is not valid: ${issue?.message}`,
      "let it agree with the schema",
    );
  }
  if (def.type === "default" && !isDeepStrictEqual(filled.data, value)) {
    return fault(place, "the API server fills in what the default leaves out", "use .prefault()");
  }
  return { ...schema, default: filled.data };
}
