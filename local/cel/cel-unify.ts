import { type CelType, DYN, isDyn } from "./cel-type.ts";

/** What the parameters of overloads stand for, while one expression is checked. */
export class TypeBindings {
  #bound = new Map<string, CelType>();
  #count = 0;

  /** The types with parameters that no other use of them shares. */
  fresh(types: readonly CelType[]): CelType[] {
    const renamed = new Map<string, CelType>();
    const rename = (type: CelType): CelType => {
      if (!type.parameter) return withArgs(type, type.args.map(rename));
      const known = renamed.get(type.name) ?? this.parameter();
      renamed.set(type.name, known);
      return known;
    };
    return types.map(rename);
  }

  /** A parameter of its own: of the items of an empty list. */
  parameter(): CelType {
    this.#count += 1;
    return { name: `_var${this.#count}`, args: [], parameter: true };
  }

  /** The type with what its parameters are bound to; of those that are free, `dyn` or themselves. */
  resolved(type: CelType, free: "dyn" | "kept" = "kept"): CelType {
    const bound = type.parameter && this.#bound.get(type.name);
    if (bound) return this.resolved(bound, free);
    if (type.parameter) return free === "dyn" ? DYN : type;
    return withArgs(
      type,
      type.args.map((each) => this.resolved(each, free)),
    );
  }

  /** Whether the values go with the types, pair by pair; what was bound on the way stays if so. */
  assignable(values: readonly CelType[], types: readonly CelType[]): boolean {
    if (values.length !== types.length) return false;
    const before = new Map(this.#bound);
    const fits = values.every((value, index) => this.#fits(value, types[index] ?? DYN));
    if (!fits) this.#bound = before;
    return fits;
  }

  #fits(given: CelType, wanted: CelType): boolean {
    const value = this.resolved(given);
    const type = this.resolved(wanted);
    if (type.parameter) return this.#bind(type, value);
    if (value.parameter) return this.#bind(value, type);
    if (isDyn(value) || isDyn(type)) return true;
    if (value.name === "null") return nullable(type);
    if (type.name === "null") return nullable(value);
    if (value.name !== type.name) return false;
    if (value.name === "type") return true;
    if (value.args.length !== type.args.length) return false;
    return value.args.every((each, index) => this.#fits(each, type.args[index] ?? DYN));
  }

  #bind(parameter: CelType, type: CelType): boolean {
    if (type.parameter && type.name === parameter.name) return true;
    if (mentions(type, parameter.name)) return false;
    this.#bound.set(parameter.name, type);
    return true;
  }
}

/** Whether a null can stand for a value of the type. */
function nullable({ name, fields, args }: CelType): boolean {
  if (name === "null" || fields) return true;
  if (name === "timestamp" || name === "duration" || name === "optional_type") return true;
  return args.length === 0 && name.includes(".");
}

function mentions(type: CelType, name: string): boolean {
  return type.name === name || type.args.some((each) => mentions(each, name));
}

function withArgs(type: CelType, args: readonly CelType[]): CelType {
  return args.length === 0 ? type : { ...type, args };
}

/** The one of two types that go together which takes more values. */
export function moreGeneral(a: CelType, b: CelType): CelType {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: CelType, b: CelType): boolean {
  if (isDyn(a) || a.parameter) return true;
  if (isDyn(b) || b.parameter || a.name !== b.name) return false;
  return a.args.every((each, index) => isLessSpecific(each, b.args[index] ?? DYN));
}
