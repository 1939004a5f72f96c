/**
 * A type of the Common Expression Language, with the names that cel-go prints.
 * https://github.com/google/cel-spec/blob/master/doc/langdef.md#values
 */
export interface CelType {
  /** "int", "list", "optional_type", "kubernetes.Quantity", ...; of a parameter "A". */
  readonly name: string;
  /** Of a list its items, of a map its keys and values, of an optional what it may hold. */
  readonly args: readonly CelType[];
  /** Of an object with a schema. A field that is not here cannot be named. */
  readonly fields?: ReadonlyMap<string, CelType>;
  /** A parameter of an overload, which any type can take the place of. */
  readonly parameter?: true;
}

function simple(name: string): CelType {
  return { name, args: [] };
}

export const DYN = simple("dyn");
/** Of what has a fault already: goes with everything, so that one mistake is told once. */
export const FAULTY = simple("!error!");
export const BOOL = simple("bool");
export const INT = simple("int");
export const DOUBLE = simple("double");
export const STRING = simple("string");
export const BYTES = simple("bytes");
export const NULL = simple("null");
export const TIMESTAMP = simple("timestamp");
export const DURATION = simple("duration");

export function listType(of: CelType): CelType {
  return { name: "list", args: [of] };
}

export function mapType(key: CelType, value: CelType): CelType {
  return { name: "map", args: [key, value] };
}

export function optionalType(of: CelType): CelType {
  return { name: "optional_type", args: [of] };
}

export function typeType(of: CelType): CelType {
  return { name: "type", args: [of] };
}

export function objectType(name: string, fields: ReadonlyMap<string, CelType>): CelType {
  return { name, args: [], fields };
}

export function parameter(name: string): CelType {
  return { name, args: [], parameter: true };
}

export function isDyn({ name }: CelType): boolean {
  return name === "dyn" || name === "!error!";
}

/** What an optional holds; undefined of any other type. */
export function heldType({ name, args }: CelType): CelType | undefined {
  return name === "optional_type" ? args[0] : undefined;
}

/** "list(string)", as faults name it. */
export function typeText({ name, args }: CelType): string {
  return args.length === 0 ? name : `${name}(${args.map(typeText).join(", ")})`;
}

/** Reads "map(string, list(A))"; single capital letters are parameters. */
export function readType(text: string): CelType {
  const match = /^([\w.]+)(?:\((.*)\))?$/.exec(text.trim());
  if (!match) throw new Error(`reading the type ${text}: expected "name" or "name(type, ...)"`);
  const [, name = "", inner] = match;
  if (/^[A-Z]$/.test(name)) return parameter(name);
  return { name, args: inner === undefined ? [] : readTypes(inner) };
}

/** Reads types with commas between them. */
export function readTypes(text: string): CelType[] {
  const types: CelType[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= text.length; index += 1) {
    const character = text[index] ?? ",";
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character !== "," || depth > 0) continue;
    const part = text.slice(start, index).trim();
    if (part !== "") types.push(readType(part));
    start = index + 1;
  }
  return types;
}
