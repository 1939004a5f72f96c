import * as z from "zod";
import { numberSchema } from "./convert-number.ts";
import { objectSchema, recordSchema } from "./convert-object.ts";
import { stringSchema, templateSchema } from "./convert-string.ts";
import { unionSchema } from "./convert-union.ts";
import { arraySchema, bothSchema, defaultSchema, valuesSchema } from "./convert-values.ts";
import type { StructuralSchema } from "./custom-resource-definition.ts";
import { keywordsOf } from "./keywords.ts";
import { listFaults } from "./list-faults.ts";
import { type Def, type DefOf, fault, nullable, OPEN, type Place, untyped } from "./place.ts";

/**
 * The structural schema of a zod schema: what one writes, before defaults are filled in. All that has
 * no such form is told in `faults`, with its path and what to write instead.
 */
export function structuralSchema(
  schema: z.core.$ZodType,
  path: string,
): { readonly schema: StructuralSchema; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const place = { path, correlatable: true, around: [], faults, convert };
  return { schema: convert(schema, place), faults: [...new Set(faults)] };
}

function convert(schema: z.core.$ZodType, place: Place): StructuralSchema {
  if (place.around.includes(schema)) {
    return fault(place, "a schema within itself has no form", "use z.unknown() there");
  }
  const inside = { ...place, around: [...place.around, schema] };
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const found = (CONVERSIONS[def.type] as Conversion | undefined)?.(def, inside, schema);
  return withChecks(found ?? noForm(def.type, place), schema, place);
}

type Conversion = (def: Def, place: Place, schema: z.core.$ZodType) => StructuralSchema;
type Conversions = {
  readonly [T in Def["type"]]?: (
    def: DefOf<T>,
    place: Place,
    schema: z.core.$ZodType,
  ) => StructuralSchema;
};

const inner = ({ innerType }: { readonly innerType: z.core.$ZodType }, place: Place) =>
  place.convert(innerType, place);

const CONVERSIONS: Conversions = {
  any: () => OPEN,
  array: arraySchema,
  boolean: (def, place) =>
    "coerce" in def && def.coerce
      ? fault(place, "the API server does not convert values to booleans", "use z.boolean()")
      : { type: "boolean" },
  default: defaultSchema,
  enum: (_def, place, schema) => valuesSchema([...(schema._zod.values ?? [])], place),
  intersection: (def, place) =>
    bothSchema(def.left as z.core.$ZodType, def.right as z.core.$ZodType, place),
  lazy: (def, place) => place.convert(def.getter(), place),
  literal: (def, place) => valuesSchema(def.values, place),
  nonoptional: inner,
  nullable: (def, place) => nullable(inner(def, place)),
  number: numberSchema,
  object: objectSchema,
  optional: inner,
  pipe: pipeSchema,
  prefault: defaultSchema,
  readonly: inner,
  record: recordSchema,
  string: stringSchema,
  template_literal: (_def, place, schema) =>
    templateSchema((schema as z.core.$ZodTemplateLiteral)._zod, place),
  union: unionSchema,
  unknown: () => OPEN,
};

function pipeSchema(def: DefOf<"pipe">, place: Place): StructuralSchema {
  const ends = [def.in, def.out] as z.core.$ZodType[];
  const transforms = "transform" in def || ends.some(({ _zod }) => _zod.def.type === "transform");
  if (transforms) return noForm("transform", place);
  return bothSchema(def.in as z.core.$ZodType, def.out as z.core.$ZodType, place);
}

/** What to write instead of types that JSON, or a structural schema, does not have. */
const INSTEAD: Readonly<Record<string, string>> = {
  bigint: "use z.int(), or z.string() for more than 2^53",
  catch: "use .default(), which fills in what is missing",
  date: "use z.iso.datetime(): times in JSON are strings",
  map: "use z.record(z.string(), ...)",
  never: "leave the field out: the API server drops unknown fields",
  null: "use .nullable() on a schema of the value",
  set: "use z.array(...).check(listSet())",
  transform: "leave it to the reconciler: the API server stores what it is given",
  tuple: "use z.object() with a name for each place, or z.array()",
};

function noForm(type: string, place: Place): StructuralSchema {
  return fault(place, `z.${type}() has no form`, INSTEAD[type] ?? "use z.unknown() for any JSON");
}

const ELSEWHERE = "checks after .optional(), .default() and the like have no form";

/** Adds what the layer says beside its type: keywords, a description, checks in code. */
function withChecks(
  found: StructuralSchema,
  schema: z.core.$ZodType,
  place: Place,
): StructuralSchema {
  const { def } = schema._zod;
  const given = (def.checks ?? []).map((check) => keywordsOf(check) ?? {});
  const added = given.reduce(withKeywords, { ...found, ...metaOf(schema) });
  const { "x-kubernetes-validations": rules = [] } = added;
  if (rules.length > 0 && untyped(added)) {
    fault(
      place,
      "rules know nothing of a value of any type",
      "put the rule on a schema with a type",
    );
  }
  if (!place.correlatable && rules.some(({ rule }) => /\boldSelf\b/.test(rule))) {
    const why = "a rule with oldSelf cannot tell which item came from which";
    fault(place, why, "use .check(listMap(...)) on the list, or put the rule on the list");
  }
  for (const check of def.checks ?? []) {
    const { check: name } = check._zod.def;
    if (name === "custom" && rules.length === 0) {
      const why = "the API server cannot run the code of refine()";
      fault(place, why, "say the same in .check(cel(...)); then refine() may stay");
    } else if (!KNOWN_CHECKS[name]?.includes(def.type)) {
      fault(place, `the check ${name} has no form here`, NO_CHECK[name] ?? ELSEWHERE);
    }
  }
  listFaults(added, place);
  return added;
}

const ANY = { includes: () => true };

/** The types that know what a check means. */
const KNOWN_CHECKS: Readonly<Record<string, { readonly includes: (type: string) => boolean }>> = {
  custom: ANY,
  describe: ANY,
  kubernetes: ANY,
  meta: ANY,
  greater_than: ["number"],
  length_equals: ["string", "array"],
  less_than: ["number"],
  max_length: ["string", "array"],
  min_length: ["string", "array"],
  multiple_of: ["number"],
  number_format: ["number"],
  string_format: ["string"],
};

const NO_CHECK: Readonly<Record<string, string>> = {
  overwrite: "leave trim() and the like to the reconciler: the API server stores what it is given",
};

function withKeywords(found: StructuralSchema, keywords: StructuralSchema): StructuralSchema {
  const { "x-kubernetes-validations": rules = [], ...others } = keywords;
  const all = [...(found["x-kubernetes-validations"] ?? []), ...rules];
  return { ...found, ...others, ...(all.length > 0 && { "x-kubernetes-validations": all }) };
}

/** The description, and what stands in `.meta({ "x-kubernetes-...": ... })`. */
function metaOf(schema: z.core.$ZodType): StructuralSchema {
  const meta: Readonly<Record<string, unknown>> = z.globalRegistry.get(schema) ?? {};
  const kept = Object.entries(meta).filter(([key]) =>
    /^(description|title|x-kubernetes-.*)$/.test(key),
  );
  return Object.fromEntries(kept);
}
