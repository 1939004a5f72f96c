import { isDeepStrictEqual } from "node:util";
import type { StructuralSchema } from "./custom-resource-definition.ts";

/** What the new schema asks of values beside type and bounds, and the old one did not. */
export function constraintChanges(
  before: StructuralSchema,
  after: StructuralSchema,
): readonly string[] {
  const had = constraintsOf(before);
  const has = constraintsOf(after);
  return has
    .filter((each) => !had.some((other) => implies(other, each)))
    .map((each) => {
      const [[key, value] = ["", undefined]] = Object.entries(each);
      const gone = had.find((other) => key in other && !has.some((next) => implies(other, next)));
      const text = `${key} ${JSON.stringify(value)} is new`;
      if (!gone) return text;
      const [old] = Object.values(gone);
      return `${key} changed from ${JSON.stringify(old)} to ${JSON.stringify(value)}`;
    });
}

/** Each may also stand in `allOf`. */
const CONSTRAINTS = ["multipleOf", "pattern", "format", "anyOf", "oneOf", "not"] as const;

function constraintsOf(schema: StructuralSchema): readonly StructuralSchema[] {
  const own = CONSTRAINTS.filter((key) => schema[key] !== undefined);
  return [...own.map((key) => ({ [key]: schema[key] })), ...(schema.allOf ?? [])];
}

/** Whether what meets the one meets the other. Not where it is in doubt. */
function implies(one: StructuralSchema, other: StructuralSchema): boolean {
  if (isDeepStrictEqual(one, other)) return true;
  if (one.multipleOf !== undefined && other.multipleOf !== undefined) {
    return one.multipleOf % other.multipleOf === 0;
  }
  const { anyOf = [] } = other;
  return one.anyOf?.every((each) => anyOf.some((next) => isDeepStrictEqual(each, next))) ?? false;
}
