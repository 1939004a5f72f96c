import { re2 } from "../kube/re2.ts";
import type { CelExpression } from "./cel-expression.ts";
import type { CelFault } from "./cel-fault.ts";
import { durationOf, timestampOf } from "./cel-time.ts";
import { type CelType, DYN, typeText } from "./cel-type.ts";

/**
 * Patterns, durations and timestamps that are written in the expression and can be seen to be none,
 * and lists and maps whose entries are of different types; those that are formatted may be mixed.
 *
 * @param types Of all entries of lists and maps.
 */
export function literalFaults(
  expression: CelExpression,
  types: ReadonlyMap<CelExpression, CelType>,
  mixed = false,
): CelFault[] {
  const free = mixed || (expression.kind === "call" && expression.name === "format");
  const parts = partsOf(expression).flatMap((part) => literalFaults(part, types, free));
  if (mixed || (expression.kind !== "list" && expression.kind !== "map")) {
    return [...parts, ...argumentFaults(expression)];
  }
  const entries =
    expression.kind === "list"
      ? [expression.items]
      : [0, 1].map((index) => expression.entries.map((entry) => entry[index] as CelExpression));
  return [...parts, ...entries.flatMap((each) => mixedFaults(each, types))];
}

function mixedFaults(
  entries: readonly CelExpression[],
  types: ReadonlyMap<CelExpression, CelType>,
): CelFault[] {
  const texts = entries.map((each) => typeText(types.get(each) ?? DYN));
  const [first = ""] = texts;
  const index = texts.findIndex((each) => each !== first);
  const other = entries[index];
  if (!other) return [];
  return [{ at: other.at, message: `expected type '${first}' but found '${texts[index]}'` }];
}

function argumentFaults(expression: CelExpression): CelFault[] {
  const faults: CelFault[] = [];
  if (expression.kind !== "call") return faults;
  const check = Object.hasOwn(CHECKS, expression.name) ? CHECKS[expression.name] : undefined;
  const [literal] = expression.args;
  if (!check || literal?.kind !== "literal" || typeof literal.value !== "string") return faults;
  if (check(literal.value)) return faults;
  return [...faults, { at: literal.at, message: `invalid ${expression.name} argument` }];
}

const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => durationOf(text) !== undefined,
  matches: (text) => re2(text).error === undefined,
  timestamp: (text) => timestampOf(text) !== undefined,
};

function partsOf(expression: CelExpression): readonly CelExpression[] {
  switch (expression.kind) {
    case "select":
      return [expression.of];
    case "call":
      return expression.target ? [expression.target, ...expression.args] : expression.args;
    case "list":
      return expression.items;
    case "map":
      return expression.entries.flat();
    case "loop":
      return [expression.of, ...expression.steps];
    default:
      return [];
  }
}
