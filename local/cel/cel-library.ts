import { type CelType, isDyn, readType, readTypes } from "./cel-type.ts";
import { type CelValue, isList, isMap, Optional, typeNameOf } from "./cel-value.ts";

/** What a function does. Throws a CelError where it cannot. */
export type CelImplementation = (...values: never[]) => CelValue;

/**
 * Functions by name, and each by the types it takes and gives: "string.(int) string" is called on a
 * string, "(string, bool) bool" on nothing. Capital letters stand for any type.
 */
export type CelLibrary = Readonly<Record<string, Readonly<Record<string, CelImplementation>>>>;

export interface Overload {
  /** Called on a value, which is the first of the parameters. */
  readonly member: boolean;
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  readonly implementation: CelImplementation;
}

export type CelFunctions = ReadonlyMap<string, readonly Overload[]>;

/** The functions of all libraries together. */
export function functionsOf(libraries: readonly CelLibrary[]): CelFunctions {
  const functions = new Map<string, Overload[]>();
  for (const [name, overloads] of libraries.flatMap((each) => Object.entries(each))) {
    const known = functions.get(name) ?? [];
    functions.set(name, known);
    for (const [signature, implementation] of Object.entries(overloads)) {
      known.push({ ...readSignature(signature), implementation });
    }
  }
  return functions;
}

function readSignature(signature: string): Omit<Overload, "implementation"> {
  const match = /^(?:(.+)\.)?\((.*)\) (\S.*)$/.exec(signature);
  if (!match) throw new Error(`reading ${signature}: expected "receiver.(types) type"`);
  const [, receiver, parameters = "", result = ""] = match;
  return {
    member: receiver !== undefined,
    parameters: [...(receiver === undefined ? [] : [readType(receiver)]), ...readTypes(parameters)],
    result: readType(result),
  };
}

/** Whether a value is of the type, as far as its own kind and that of its first item tell. */
export function isOfType(value: CelValue, type: CelType): boolean {
  if (type.parameter || isDyn(type)) return true;
  if (typeNameOf(value) !== (VALUE_NAMES[type.name] ?? type.name)) return false;
  const [first, second] = type.args;
  if (!first || value instanceof Optional) return true;
  if (isList(value)) return value.length === 0 || isOfType(value[0] ?? null, first);
  if (!isMap(value)) return true;
  const [entry] = value;
  return !entry || !second || (isOfType(entry[0], first) && isOfType(entry[1], second));
}

/** Where a type has another name as a value. */
const VALUE_NAMES: Readonly<Record<string, string>> = {
  null: "null_type",
  timestamp: "google.protobuf.Timestamp",
  duration: "google.protobuf.Duration",
};
