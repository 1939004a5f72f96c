import type * as z from "zod";
import { IMMUTABLE } from "./cel.ts";
import { celField } from "./cel-text.ts";
import type { StructuralSchema, ValidationRule } from "./custom-resource-definition.ts";
import { below, type DefOf, fault, type Place, without } from "./place.ts";

/**
 * Objects. The API server drops unknown fields, whether zod drops or refuses them; of `z.looseObject`
 * it keeps them.
 */
export function objectSchema(def: DefOf<"object">, place: Place): StructuralSchema {
  const fields = Object.entries(def.shape);
  const entries = fields.map(
    ([name, schema]) => [name, place.convert(schema, below(place, `.${name}`))] as const,
  );
  const required = fields.filter(([, schema]) => !optional(schema)).map(([name]) => name);
  const rules = entries
    .filter(([name, { default: value }]) => !required.includes(name) && value === undefined)
    .flatMap(([name, schema]) => presenceRule(name, schema));
  return {
    type: "object",
    ...(required.length > 0 && { required }),
    ...(entries.length > 0 && { properties: Object.fromEntries(entries) }),
    ...unknownFields(def.catchall as z.core.$ZodType | undefined, place),
    ...(rules.length > 0 && { "x-kubernetes-validations": rules }),
  };
}

/** Whether one may leave it out when one writes. */
export function optional(schema: z.core.$ZodType): boolean {
  return schema._zod.optin !== undefined;
}

/** Rules of a field are asked only where it is there before and after. */
function presenceRule(name: string, schema: StructuralSchema): readonly ValidationRule[] {
  const field = celField(name);
  const fixed = schema["x-kubernetes-validations"]?.some(({ rule }) => rule === IMMUTABLE);
  if (!fixed || field === undefined) return [];
  const rule = `has(self.${field}) == has(oldSelf.${field})`;
  return [{ rule, message: `${name} can neither be added nor removed later` }];
}

function unknownFields(catchall: z.core.$ZodType | undefined, place: Place): StructuralSchema {
  const type = catchall?._zod.def.type ?? "never";
  if (type === "never") return {};
  if (type === "unknown" || type === "any") return { "x-kubernetes-preserve-unknown-fields": true };
  const why = "fields that are known beside others of one type have no form";
  return fault(place, why, "use z.looseObject(), or put the others into a z.record() of their own");
}

/** Records are objects whose fields are all of one schema; with named keys, plain objects. */
export function recordSchema(def: DefOf<"record">, place: Place): StructuralSchema {
  const { keyType, valueType, partial } = def as typeof def & { readonly partial?: boolean };
  const { values, def: key } = keyType._zod;
  const convert = (segment: string) =>
    element(place.convert(valueType as z.core.$ZodType, below(place, segment)));
  if (values) {
    const names = [...values].map(String);
    const entries = names.map((name) => [name, convert(`.${name}`)] as const);
    const required = partial || optional(valueType as z.core.$ZodType) ? [] : names;
    return {
      type: "object",
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(entries),
    };
  }
  if (key.type !== "string" || key.checks?.length || "check" in key) {
    const why = "the API server does not check the names of a record";
    return fault(place, why, "use z.record(z.string(), ...), and cel() for the names");
  }
  return { type: "object", additionalProperties: convert(".*") };
}

/** JSON has no holes in lists and records: nothing there is ever filled in. */
export function element(schema: StructuralSchema): StructuralSchema {
  return without(schema, "default");
}
