import type { FieldError } from "./api-error.ts";
import {
  goJson,
  goQuote,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "./schema-errors.ts";

/**
 * What one schema says of one value. `matchCount` is the number of checks that were made: of several
 * alternatives that fail, the API server reports the faults of the one with most.
 */
export interface SchemaResult {
  readonly faults: SchemaFault[];
  matchCount: number;
}

/** A fault before it is known where the value stands. `text` tells equal faults apart. */
export interface SchemaFault {
  readonly text: string;
  /** `prefix` is the path of the validated value, undefined for a whole object. */
  readonly at: (prefix: string | undefined) => FieldError;
}

export function newResult(...faults: SchemaFault[]): SchemaResult {
  return { faults, matchCount: 0 };
}

/** Adds what another schema said; faults of equal text once. */
export function merge(into: SchemaResult, from: SchemaResult): void {
  for (const fault of from.faults) addFault(into, fault);
  into.matchCount += from.matchCount;
}

export function addFault(to: SchemaResult, fault: SchemaFault | undefined): void {
  if (fault && !to.faults.some(({ text }) => text === fault.text)) to.faults.push(fault);
}

/** A value out of bounds: `what` follows "<name> in body". Null where the API server names no value. */
export function bodyFault(name: string, value: unknown, what: string): SchemaFault {
  const text = `${name} in body ${what}`;
  return { text, at: (prefix) => invalid(fieldOf(prefix, name), value ?? "", text) };
}

export function typeFault(name: string, type: string, got: string): SchemaFault {
  const text = `${name} in body must be of type ${type}: ${goQuote(got)}`;
  return { text, at: (prefix) => typeInvalid(fieldOf(prefix, name), got, text) };
}

export function requiredFault(name: string): SchemaFault {
  return {
    text: `${name} in body is required`,
    at: (prefix) => required(fieldOf(prefix, name)),
  };
}

export function enumFault(name: string, value: unknown, values: readonly unknown[]): SchemaFault {
  const supported = values.map((each) => (typeof each === "string" ? each : goJson(each)));
  return {
    text: `${name} in body should be one of ${supported.join(" ")}`,
    at: (prefix) => notSupported(fieldOf(prefix, name), value, supported),
  };
}

/** `additionalProperties: false`, which CustomResourceDefinitions may not say; the field is the object's. */
export function forbiddenPropertyFault(name: string, key: string): SchemaFault {
  const text = `${name}.${key} in body is a forbidden property`;
  return { text, at: (prefix) => invalid(fieldOf(prefix, name), key, text) };
}

/** A multipleOf that is no positive number once its fraction is dropped for integers. */
export function factorFault(name: string, factor: number): SchemaFault {
  const text = `factor MultipleOf declared for ${name} must be positive: ${factor}`;
  return { text, at: (prefix) => invalid(fieldOf(prefix, name), factor, text) };
}

export function tooLongFault(name: string, max: number): SchemaFault {
  return {
    text: `${name} in body should be at most ${max} chars long`,
    at: (prefix) => tooLong(fieldOf(prefix, name), max),
  };
}

/** `kind` is "items" or "properties"; the API server says "items" of both. */
export function tooManyFault(
  name: string,
  kind: string,
  { actual, max }: { readonly actual: number; readonly max: number },
): SchemaFault {
  return {
    text: `${name} in body should have at most ${max} ${kind}`,
    at: (prefix) => tooMany(fieldOf(prefix, name), actual, max),
  };
}

/** Of the whole: the API server gives no field for it. */
export function wholeFault(text: string): SchemaFault {
  return { text, at: (prefix) => invalid(prefix ?? NO_FIELD, "", text) };
}

/** How Go prints a path that is not there. */
const NO_FIELD = "<nil>";

function fieldOf(prefix: string | undefined, name: string): string {
  const own = name === "." ? "" : name.replace(/^\./, "");
  if (own === "") return prefix ?? NO_FIELD;
  return prefix === undefined ? own : `${prefix}.${own}`;
}
