import { checkLoop } from "./cel-check-loop.ts";
import type { CelCall, CelExpression, CelSelect } from "./cel-expression.ts";
import type { CelFault } from "./cel-fault.ts";
import type { CelFunctions, Overload } from "./cel-library.ts";
import { qualifiedName, TYPE_NAMES } from "./cel-names.ts";
import {
  BOOL,
  type CelType,
  DYN,
  FAULTY,
  heldType,
  isDyn,
  listType,
  mapType,
  NULL,
  optionalType,
  readType,
  typeText,
  typeType,
} from "./cel-type.ts";
import { moreGeneral, TypeBindings } from "./cel-unify.ts";
import { type CelValue, typeNameOf } from "./cel-value.ts";

export type Scope = ReadonlyMap<string, CelType>;

/** An expression whose types are known. */
export interface CheckedCel {
  readonly faults: readonly CelFault[];
  /** Of its value. */
  readonly type: CelType;
  /** The overloads that the types of a call leave; more than one where a type is dynamic. */
  readonly overloads: ReadonlyMap<CelExpression, readonly Overload[]>;
  /** Of the entries of lists and maps that it writes out. */
  readonly types: ReadonlyMap<CelExpression, CelType>;
  /** Variables that it names. */
  readonly used: ReadonlySet<string>;
}

/** Tells the type of an expression, and all its faults, with the rules and texts of cel-go's checker. */
export function checkCel(
  expression: CelExpression,
  variables: Scope,
  functions: CelFunctions,
): CheckedCel {
  const checker = new CelChecker(functions);
  const type = checker.check(expression, variables);
  const { faults, overloads, used, bindings } = checker;
  const types = new Map(
    [...checker.types].map(([entry, each]) => [entry, bindings.resolved(each, "dyn")] as const),
  );
  return { faults, type: bindings.resolved(type, "dyn"), overloads, types, used };
}

export class CelChecker {
  readonly faults: CelFault[] = [];
  readonly overloads = new Map<CelExpression, readonly Overload[]>();
  readonly types = new Map<CelExpression, CelType>();
  readonly used = new Set<string>();
  readonly bindings = new TypeBindings();
  readonly #functions: CelFunctions;

  constructor(functions: CelFunctions) {
    this.#functions = functions;
  }

  check(expression: CelExpression, scope: Scope): CelType {
    switch (expression.kind) {
      case "literal":
        return literalType(expression.value);
      case "name":
        return this.#checkName(expression.name, expression.at, scope);
      case "select":
        return this.#checkSelect(expression, scope);
      case "call":
        return this.#checkCall(expression, scope);
      case "list":
        return listType(this.#joined(expression.items, scope));
      case "map":
        return mapType(
          this.#joined(
            expression.entries.map(([key]) => key),
            scope,
          ),
          this.#joined(
            expression.entries.map(([, value]) => value),
            scope,
          ),
        );
      default:
        return checkLoop(this, expression, scope);
    }
  }

  fault(at: number, message: string): CelType {
    this.faults.push({ at, message });
    return FAULTY;
  }

  /** Tells where a value is not of the type that it must have. */
  expect(at: number, type: CelType, wanted: CelType): void {
    if (this.bindings.assignable([type], [wanted])) return;
    this.fault(at, `expected type '${this.#text(wanted)}' but found '${this.#text(type)}'`);
  }

  /** The type of a call with arguments of those types, of which the first is its receiver if it is a member. */
  resolve(call: CelExpression, name: string, types: readonly CelType[], member: boolean): CelType {
    const found: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of this.#functions.get(name) ?? []) {
      if (overload.member !== member) continue;
      const [own = DYN, ...parameters] = this.bindings.fresh([
        overload.result,
        ...overload.parameters,
      ]);
      if (!this.bindings.assignable(types, parameters)) continue;
      found.push(overload);
      const given = this.bindings.resolved(own);
      result = result === undefined || typeText(result) === typeText(given) ? given : DYN;
    }
    this.overloads.set(call, found);
    if (result !== undefined) return result;
    return this.noOverload(call.at, name, types, member);
  }

  noOverload(at: number, name: string, types: readonly CelType[], member = false): CelType {
    const texts = types.map((type) => typeText(this.bindings.resolved(type, "dyn")));
    const [receiver, ...rest] = texts;
    const shown = member ? `${receiver}.(${rest.join(", ")})` : `(${texts.join(", ")})`;
    return this.fault(at, `found no matching overload for '${name}' applied to '${shown}'`);
  }

  #checkName(name: string, at: number, scope: Scope): CelType {
    const variable = scope.get(name);
    if (variable) this.used.add(name);
    const named = variable ?? typeNamed(name);
    return named ?? this.#undeclared(at, name);
  }

  #undeclared(at: number, name: string): CelType {
    return this.fault(at, `undeclared reference to '${name}' (in container '')`);
  }

  #checkSelect(select: CelSelect, scope: Scope): CelType {
    const name = qualifiedName(select);
    const type = name === undefined || select.form !== "plain" ? undefined : typeNamed(name);
    if (type) return type;
    const of = this.bindings.resolved(this.check(select.of, scope));
    const held = heldType(of);
    const field = this.#fieldType(select, held ?? of);
    if (select.form === "test") return BOOL;
    return held || select.form === "optional" ? optionalType(field) : field;
  }

  #fieldType({ at, field }: CelSelect, type: CelType): CelType {
    if (type.name === "map") return type.args[1] ?? DYN;
    if (type.fields) return type.fields.get(field) ?? this.fault(at, `undefined field '${field}'`);
    if (type.parameter) {
      this.bindings.assignable([DYN], [type]);
      return DYN;
    }
    if (isDyn(type)) return DYN;
    this.fault(at, `type '${typeText(type)}' does not support field selection`);
    return DYN;
  }

  #checkCall(call: CelCall, scope: Scope): CelType {
    const { name, target, args, at } = call;
    const types = args.map((each) => this.check(each, scope));
    if (name === "_&&_" || name === "_||_") {
      for (const [index, each] of args.entries()) this.expect(each.at, types[index] ?? DYN, BOOL);
      return BOOL;
    }
    const qualified = target && qualifiedName(target);
    const whole = target && qualified !== undefined ? `${qualified}.${name}` : name;
    if (whole !== name && this.#functions.has(whole))
      return this.resolve(call, whole, types, false);
    const all = target ? [this.check(target, scope), ...types] : types;
    if (!this.#functions.has(name)) return this.#undeclared(at, name);
    return this.resolve(call, name, all, target !== undefined);
  }

  #joined(items: readonly CelExpression[], scope: Scope): CelType {
    let joined: CelType | undefined;
    for (const item of items) {
      const type = this.bindings.resolved(this.check(item, scope));
      this.types.set(item, type);
      if (joined === undefined) joined = type;
      else if (this.bindings.assignable([joined], [type])) joined = moreGeneral(joined, type);
      else joined = DYN;
    }
    return joined ?? this.bindings.parameter();
  }

  #text(type: CelType): string {
    return typeText(this.bindings.resolved(type, "dyn"));
  }
}

function literalType(value: CelValue): CelType {
  return value === null ? NULL : readType(typeNameOf(value));
}

function typeNamed(name: string): CelType | undefined {
  const named = TYPE_NAMES[name];
  return named === undefined ? undefined : typeType(readType(named));
}
