import type * as z from "zod";
import type { StructuralSchema } from "./custom-resource-definition.ts";

/** Where a schema stands, and who converts what stands below it. */
export interface Place {
  /** As "spec.rules[*].host". */
  readonly path: string;
  /** Whether the API server can tell which old value a new one follows, as rules with oldSelf need it. */
  readonly correlatable: boolean;
  /** The schemas around this one: one of them once more is recursion. */
  readonly around: readonly z.core.$ZodType[];
  /** What was found so far. */
  readonly faults: string[];
  readonly convert: (schema: z.core.$ZodType, place: Place) => StructuralSchema;
}

/** The defs of all types of zod, and that of one. */
export type Def = z.core.$ZodTypes["_zod"]["def"];
export type DefOf<T extends Def["type"]> = Extract<Def, { readonly type: T }>;

/** Notes what has no form in a CustomResourceDefinition, and what to write instead. */
export function fault(place: Place, got: string, instead: string): StructuralSchema {
  place.faults.push(`${place.path}: ${got}; ${instead}`);
  return OPEN;
}

/** The place of a part. */
export function below(place: Place, segment: string): Place {
  return { ...place, path: `${place.path}${segment}` };
}

/** The checks of a layer, its own among them, as a `z.email()` is one. */
export function checksOf(def: z.core.$ZodTypeDef): readonly AnyCheck[] {
  const own = "check" in def ? [def as unknown as AnyCheck] : [];
  return [...own, ...(def.checks ?? []).map((check) => check._zod.def as AnyCheck)];
}

/** Whether rules can tell nothing of its values, not even that they are there: lists of any value, too. */
export function untyped(schema: StructuralSchema): boolean {
  const part = schema.items ?? schema.additionalProperties;
  if (part) return untyped(part);
  return schema.type === undefined && !schema["x-kubernetes-int-or-string"];
}

/** The schema without these keywords. */
export function without(
  schema: StructuralSchema,
  ...keys: readonly (keyof StructuralSchema)[]
): StructuralSchema {
  const kept = Object.entries(schema).filter(([key]) => !(keys as readonly string[]).includes(key));
  return Object.fromEntries(kept);
}

/** Whatever a check of zod says of itself. */
export interface AnyCheck extends z.core.$ZodCheckDef {
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly value?: number;
  readonly inclusive?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly length?: number;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly includes?: string;
  readonly position?: number;
  readonly local?: boolean;
  readonly precision?: number | null;
  readonly hostname?: RegExp;
  readonly protocol?: RegExp;
}

/** Takes every value. Null, too, which counts as no value where a schema does not name it. */
export const OPEN: StructuralSchema = {
  "x-kubernetes-preserve-unknown-fields": true,
  nullable: true,
};

/**
 * The schema that takes null, too. Beside an enum the API server says so and refuses it all the same,
 * even where the enum names it.
 */
export function nullable(schema: StructuralSchema): StructuralSchema {
  return { ...schema, nullable: true };
}
