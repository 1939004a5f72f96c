import { isDeepStrictEqual } from "node:util";
import type { StructuralSchema } from "./custom-resource-definition.ts";

type Keyword = keyof StructuralSchema;
type Combine = (one: never, other: never) => unknown;

/**
 * The schema of what both take, with the tighter of two limits. Throws the keyword for which there is
 * none.
 */
export function combine(one: StructuralSchema, other: StructuralSchema): StructuralSchema {
  const result: Record<string, unknown> = { ...one };
  if (!(one.nullable && other.nullable)) delete result.nullable;
  const more: StructuralSchema[] = [];
  for (const [key, value] of Object.entries(other) as [Keyword, unknown][]) {
    if (key === "nullable") continue;
    const before = one[key];
    const merge = MERGES[key] as ((one: unknown, other: unknown) => unknown) | undefined;
    if (before === undefined) result[key] = value;
    else if (isDeepStrictEqual(before, value)) continue;
    else if (merge) result[key] = merge(before, value);
    else if (APART.includes(key)) more.push({ [key]: value });
    else throw new Error(key);
  }
  if (more.length > 0) result.allOf = [...((result.allOf as StructuralSchema[]) ?? []), ...more];
  return result;
}

/** Keywords of which `allOf` may hold one more. */
const APART: readonly Keyword[] = ["pattern", "format", "multipleOf", "anyOf", "oneOf", "not"];

const concat = (one: readonly unknown[], other: readonly unknown[]) => [...one, ...other];
const unite = (one: readonly string[], other: readonly string[]) => [
  ...new Set([...one, ...other]),
];

const MERGES: Partial<Record<Keyword, Combine>> = {
  description: (one: string) => one,
  title: (one: string) => one,
  minLength: Math.max,
  maxLength: Math.min,
  minItems: Math.max,
  maxItems: Math.min,
  minimum: Math.max,
  maximum: Math.min,
  allOf: concat,
  "x-kubernetes-validations": concat,
  required: unite,
  enum: (one: readonly unknown[], other: readonly unknown[]) =>
    one.filter((value) => other.includes(value)),
  items: combine,
  additionalProperties: combine,
  properties: combineProperties,
};

type Properties = Readonly<Record<string, StructuralSchema>>;

function combineProperties(one: Properties, other: Properties): Properties {
  const both = Object.entries(other).map(([name, schema]) => {
    const before = Object.hasOwn(one, name) ? one[name] : undefined;
    return [name, before ? combine(before, schema) : schema] as const;
  });
  return { ...one, ...Object.fromEntries(both) };
}
