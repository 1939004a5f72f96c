import type { CelChecker, Scope } from "./cel-check.ts";
import type { CelExpression, CelLoop } from "./cel-expression.ts";
import {
  BOOL,
  type CelType,
  DYN,
  FAULTY,
  heldType,
  INT,
  isDyn,
  listType,
  mapType,
  optionalType,
  typeText,
} from "./cel-type.ts";

/** The type of a macro that names variables. */
export function checkLoop(checker: CelChecker, loop: CelLoop, scope: Scope): CelType {
  if (loop.macro === "optMap" || loop.macro === "optFlatMap") {
    return checkOptional(checker, loop, scope);
  }
  const range = checker.bindings.resolved(checker.check(loop.of, scope));
  const inner = new Map(scope);
  const types = variableTypes(checker, loop, range);
  for (const [index, name] of loop.names.entries()) inner.set(name, types[index] ?? DYN);
  return checkSteps(checker, loop, { inner, range });
}

/** Of the variables: an item; or an index or key, and the item. */
function variableTypes(checker: CelChecker, { names, of }: CelLoop, range: CelType): CelType[] {
  const [first = DYN, second = DYN] = range.args;
  if (range.name === "list") return names.length === 2 ? [INT, first] : [first];
  if (range.name === "map") return [first, second];
  if (range.parameter) checker.bindings.assignable([DYN], [range]);
  if (range.parameter || isDyn(range)) return [DYN, DYN];
  checker.fault(
    of.at,
    `expression of type '${typeText(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
  );
  return [FAULTY, FAULTY];
}

interface Inside {
  readonly inner: Scope;
  readonly range: CelType;
}

function checkSteps(checker: CelChecker, loop: CelLoop, { inner, range }: Inside): CelType {
  const types = loop.steps.map((step) => checker.check(step, inner));
  const last = types.at(-1) ?? DYN;
  const [first] = loop.steps;
  switch (loop.macro) {
    case "all":
    case "exists":
      if (first) checker.expect(first.at, last, BOOL);
      return BOOL;
    case "exists_one":
      checkCondition(checker, loop, [last, INT, INT]);
      return BOOL;
    case "filter":
      checkCondition(checker, loop, filterTypes(last, range));
      return listType(itemType(range));
    case "sortBy":
      return range;
    default:
      if (loop.steps.length === 2)
        checkCondition(checker, loop, filterTypes(types[0] ?? DYN, range));
      return transformed(loop, { range, last });
  }
}

function filterTypes(condition: CelType, range: CelType): CelType[] {
  const list = listType(itemType(range));
  return [condition, list, list];
}

function itemType(range: CelType): CelType {
  return range.args[0] ?? DYN;
}

function transformed(
  { macro }: CelLoop,
  { range, last }: { readonly range: CelType; readonly last: CelType },
): CelType {
  if (macro === "transformMapEntry") return last;
  if (macro !== "transformMap") return listType(last);
  const key = range.name === "list" ? INT : range.name === "map" ? itemType(range) : DYN;
  return mapType(key, last);
}

/** The macro makes the condition that of `?:`, whose other operands are what is gathered. */
function checkCondition(checker: CelChecker, loop: CelLoop, types: readonly CelType[]): void {
  const [condition = DYN] = types;
  if (checker.bindings.assignable([condition], [BOOL])) return;
  checker.noOverload(loop.at, "_?_:_", types);
}

function checkOptional(checker: CelChecker, loop: CelLoop, scope: Scope): CelType {
  const of = checker.bindings.resolved(checker.check(loop.of, scope));
  const held = heldType(of) ?? (isDyn(of) ? DYN : undefined);
  if (!held) return checker.noOverload(loop.at, "hasValue", [of], true);
  const [name = ""] = loop.names;
  const [step] = loop.steps;
  const type = checker.check(step as CelExpression, new Map(scope).set(name, held));
  return loop.macro === "optMap" ? optionalType(type) : type;
}
