import type { CelValue } from "./cel-value.ts";

/** A part of an expression. `at` is where cel-go says a fault of it stands: an index into its text. */
export type CelExpression =
  | { readonly kind: "literal"; readonly at: number; readonly value: CelValue }
  | { readonly kind: "name"; readonly at: number; readonly name: string }
  | CelSelect
  | CelCall
  | { readonly kind: "list"; readonly at: number; readonly items: readonly CelExpression[] }
  | { readonly kind: "map"; readonly at: number; readonly entries: readonly CelEntry[] }
  | CelLoop;

export type CelEntry = readonly [CelExpression, CelExpression];

/** `of.field`, `of.?field`, or with `test` the macro `has(of.field)`. */
export interface CelSelect {
  readonly kind: "select";
  readonly at: number;
  readonly of: CelExpression;
  readonly field: string;
  readonly form: "plain" | "optional" | "test";
}

/** A call; of an operator as "_+_", "!_", "_[_]", "_[?_]" or "_?_:_". */
export interface CelCall {
  readonly kind: "call";
  readonly at: number;
  readonly name: string;
  readonly target?: CelExpression;
  readonly args: readonly CelExpression[];
}

/** A macro that names variables: `of.all(x, step)`, `of.transformMap(k, v, step, step)`. */
export interface CelLoop {
  readonly kind: "loop";
  readonly at: number;
  readonly macro: LoopMacro;
  readonly of: CelExpression;
  readonly names: readonly string[];
  readonly steps: readonly CelExpression[];
}

export type LoopMacro =
  | "all"
  | "exists"
  | "exists_one"
  | "filter"
  | "map"
  | "optFlatMap"
  | "optMap"
  | "sortBy"
  | "transformList"
  | "transformMap"
  | "transformMapEntry";

/** The macro of a call with that name and number of arguments, and how many of these are variables. */
export function loopMacro(
  name: string,
  count: number,
): { readonly macro: LoopMacro; readonly names: number } | undefined {
  const found = MACROS[`${name}/${count}`];
  const macro = (name === "existsOne" ? "exists_one" : name) as LoopMacro;
  return found === undefined ? undefined : { macro, names: found };
}

const MACROS: Readonly<Record<string, number>> = {
  "all/2": 1,
  "all/3": 2,
  "exists/2": 1,
  "exists/3": 2,
  "exists_one/2": 1,
  "existsOne/3": 2,
  "filter/2": 1,
  "map/2": 1,
  "map/3": 1,
  "optFlatMap/2": 1,
  "optMap/2": 1,
  "sortBy/2": 1,
  "transformList/3": 2,
  "transformList/4": 2,
  "transformMap/3": 2,
  "transformMap/4": 2,
  "transformMapEntry/3": 2,
  "transformMapEntry/4": 2,
};
