import type * as z from "zod";
import type { StructuralSchema } from "./custom-resource-definition.ts";
import { type DefOf, fault, nullable, type Place, without } from "./place.ts";
import { mergedObjects } from "./union-objects.ts";

const WAY_OUT =
  "use members of one type, objects whose common fields agree, or intOrString(); else z.unknown()";

/**
 * Unions. Null makes the others nullable; literals become one enum; a whole number or a string is
 * `x-kubernetes-int-or-string`; objects become one object with a rule a branch; all else that is of
 * one type becomes `anyOf`.
 */
export function unionSchema(def: DefOf<"union">, place: Place): StructuralSchema {
  if (exclusive(def)) {
    return fault(place, "z.xor() has no form", "use z.union() or z.discriminatedUnion()");
  }
  const options = def.options.flatMap(optionsOf);
  const others = options.filter((option) => !["null", "undefined"].includes(typeOf(option)));
  const schemas = others.map((option) => place.convert(option, place));
  const plain = schemas.map((schema) => without(schema, "nullable"));
  const takesNull =
    others.length < options.length && options.some((each) => typeOf(each) === "null");
  const { discriminator } = def as { readonly discriminator?: string };
  const one = plain[1] ? united(plain, { discriminator, place }) : plain[0];
  if (!one) return fault(place, "a union of these has no form", WAY_OUT);
  return takesNull || schemas.some((schema) => schema.nullable) ? nullable(one) : one;
}

function united(
  schemas: readonly StructuralSchema[],
  context: { readonly discriminator: string | undefined; readonly place: Place },
): StructuralSchema | undefined {
  const types = new Set(schemas.map(({ type }) => type));
  if (types.size > 1) return intAndString(schemas);
  if (types.has("object")) return mergedObjects(schemas, context);
  return types.has("array") || types.has(undefined) ? undefined : sameType(schemas);
}

/** A union within a union is one. */
function optionsOf(option: z.core.$ZodType): readonly z.core.$ZodType[] {
  const { def } = (option as z.core.$ZodTypes)._zod;
  const nested = def.type === "union" && def.checks === undefined && !exclusive(def);
  return nested ? def.options.flatMap(optionsOf) : [option];
}

/** Exactly one member is to fit, as of `z.xor()`; of members that a field tells apart, that is so anyway. */
function exclusive(def: DefOf<"union">): boolean {
  return def.inclusive === false && !("discriminator" in def);
}

function typeOf(option: z.core.$ZodType): string {
  return option._zod.def.type;
}

/** Keywords that no alternative may have. */
const NEVER_NESTED = /^(default|description|title|x-kubernetes-)/;

function sameType(schemas: readonly StructuralSchema[]): StructuralSchema | undefined {
  const [first = {}, second] = schemas;
  if (!second) return first;
  const { type } = first;
  const limits = schemas.map((schema) => without(schema, "type", "description"));
  if (limits.some((limit) => Object.keys(limit).length === 0)) return { type };
  if (limits.some((limit) => Object.keys(limit).some((key) => NEVER_NESTED.test(key)))) return;
  const values = limits.flatMap((limit) => limit.enum ?? []);
  const onlyValues = limits.every((limit) => Object.keys(limit).join() === "enum");
  return onlyValues ? { type, enum: [...new Set(values)] } : { type, anyOf: limits };
}

/** Limits of strings say nothing of numbers, and the other way round. */
function intAndString(schemas: readonly StructuralSchema[]): StructuralSchema | undefined {
  const whole = schemas.filter(({ type }) => type === "integer");
  const texts = schemas.filter(({ type }) => type === "string");
  if (whole.length + texts.length < schemas.length || whole.length === 0) return;
  const [{ type: _i, ...number } = {}, { type: _s, ...text } = {}] = [
    sameType(whole),
    sameType(texts),
  ];
  const keys = Object.keys(text).filter((key) => key in number);
  const odd = ["enum", "anyOf", "format"].some((key) => key in number || key in text);
  if (keys.length > 0 || odd) return;
  return { "x-kubernetes-int-or-string": true, ...number, ...text };
}
