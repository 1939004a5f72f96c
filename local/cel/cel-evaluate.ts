import { fieldOf, mapKey, optionalOf } from "./cel-access.ts";
import type { CheckedCel } from "./cel-check.ts";
import { evaluateLoop } from "./cel-evaluate-loop.ts";
import type { CelCall, CelExpression, CelSelect } from "./cel-expression.ts";
import { isOfType, type Overload } from "./cel-library.ts";
import { qualifiedName, TYPE_NAMES } from "./cel-names.ts";
import { readType } from "./cel-type.ts";
import {
  CelError,
  type CelKey,
  type CelMap,
  type CelValue,
  isList,
  Optional,
  TypeValue,
} from "./cel-value.ts";

export type Variables = ReadonlyMap<string, CelValue>;

/** Counts what evaluations do, and ends those that go on for too long. */
export interface CelBudget {
  left: number;
}

/** Thrown where a budget is used up. */
export class CelBudgetError extends CelError {}

/** The value of an expression that has no faults. Throws a CelError where it has none. */
export function evaluateCel(
  expression: CelExpression,
  { overloads }: Pick<CheckedCel, "overloads">,
  { variables, budget }: { readonly variables: Variables; readonly budget: CelBudget },
): CelValue {
  return new CelEvaluation(overloads, budget).value(expression, variables);
}

export class CelEvaluation {
  readonly #overloads: CheckedCel["overloads"];
  readonly #budget: CelBudget;

  constructor(overloads: CheckedCel["overloads"], budget: CelBudget) {
    this.#overloads = overloads;
    this.#budget = budget;
  }

  value(expression: CelExpression, scope: Variables): CelValue {
    this.spend(1);
    switch (expression.kind) {
      case "literal":
        return expression.value;
      case "name":
        return scope.get(expression.name) ?? namedValue(expression.name, scope);
      case "select":
        return this.#select(expression, scope);
      case "call":
        return this.#call(expression, scope);
      case "list":
        return expression.items.map((each) => this.value(each, scope));
      case "map":
        return this.#map(expression.entries, scope);
      default:
        return evaluateLoop(this, expression, scope);
    }
  }

  /** The value, or the error in its place. */
  attempt(expression: CelExpression, scope: Variables): CelValue | CelError {
    try {
      return this.value(expression, scope);
    } catch (error) {
      if (error instanceof CelError && !(error instanceof CelBudgetError)) return error;
      throw error;
    }
  }

  spend(steps: number): void {
    this.#budget.left -= steps;
    if (this.#budget.left >= 0) return;
    throw new CelBudgetError("operation cancelled: actual cost limit exceeded");
  }

  #select(select: CelSelect, scope: Variables): CelValue {
    const name = qualifiedName(select);
    const named = name !== undefined && !scope.has(name.split(".")[0] ?? "");
    if (named && select.form === "plain") return namedValue(name, scope);
    const of = this.value(select.of, scope);
    const found = fieldOf(of instanceof Optional ? of.value : of, select.field);
    if (select.form === "test") return found !== undefined;
    if (select.form === "optional" || of instanceof Optional) return optionalOf(found);
    if (found === undefined) throw new CelError(`no such key: ${select.field}`);
    return found;
  }

  #map(entries: readonly (readonly [CelExpression, CelExpression])[], scope: Variables): CelMap {
    const map = new Map<CelKey, CelValue>();
    for (const [key, value] of entries) {
      map.set(mapKey(this.value(key, scope)), this.value(value, scope));
    }
    return map;
  }

  #call(call: CelCall, scope: Variables): CelValue {
    const { name, args, target } = call;
    const [first, second, third] = args;
    if (name === "_?_:_" && first && second && third) {
      const condition = this.value(first, scope);
      if (typeof condition !== "boolean") throw new CelError("no such overload");
      return this.value(condition ? second : third, scope);
    }
    if ((name === "_&&_" || name === "_||_") && first && second) {
      return this.#logical(name === "_||_", [first, second], scope);
    }
    if (target && (name === "or" || name === "orValue")) return this.#alternative(call, scope);
    const overloads = this.#overloads.get(call) ?? [];
    const given = args.map((each) => this.value(each, scope));
    const isMember = target && overloads.some(({ member }) => member);
    const values = isMember ? [this.value(target, scope), ...given] : given;
    return this.apply(overloads, values);
  }

  apply(overloads: readonly Overload[], values: readonly CelValue[]): CelValue {
    const fitting = overloads.find(({ parameters }) =>
      parameters.every((type, index) => isOfType(values[index] ?? null, type)),
    );
    if (!fitting) throw new CelError("no such overload");
    for (const value of values) this.spend(sizeOf(value));
    return fitting.implementation(...(values as never[]));
  }

  /** An operand that decides makes up for an error of the other, on either side. */
  #logical(
    deciding: boolean,
    operands: readonly [CelExpression, CelExpression],
    scope: Variables,
  ): CelValue {
    const left = this.attempt(operands[0], scope);
    if (left === deciding) return deciding;
    const right = this.attempt(operands[1], scope);
    if (right === deciding) return deciding;
    for (const each of [left, right]) {
      if (each instanceof CelError) throw each;
      if (typeof each !== "boolean") throw new CelError("no such overload");
    }
    return !deciding;
  }

  /** The second operand is looked at only if it is needed. */
  #alternative({ name, target, args }: CelCall, scope: Variables): CelValue {
    const optional = target && this.value(target, scope);
    if (!(optional instanceof Optional)) throw new CelError("no such overload");
    if (optional.value !== undefined) return name === "or" ? optional : optional.value;
    const [other] = args;
    return other ? this.value(other, scope) : Optional.NONE;
  }
}

function namedValue(name: string, scope: Variables): CelValue {
  if (scope.has(name)) return scope.get(name) ?? null;
  const type = TYPE_NAMES[name];
  if (type === undefined) throw new CelError(`no such attribute(s): ${name}`);
  return new TypeValue(NAMED[type] ?? readType(type).name);
}

const NAMED: Readonly<Record<string, string>> = {
  null: "null_type",
  timestamp: "google.protobuf.Timestamp",
  duration: "google.protobuf.Duration",
};

/** What it costs to go through a value: a tenth of a step a character. */
function sizeOf(value: CelValue): number {
  if (typeof value === "string" || value instanceof Uint8Array) return value.length / 10;
  return isList(value) ? value.length : 0;
}
