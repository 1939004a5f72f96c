import { re2 } from "./re2.ts";
import type { Schema } from "./schema.ts";
import { goFloat, isInt64 } from "./schema-errors.ts";
import { isKnownFormat, matchesFormat } from "./schema-formats.ts";
import {
  addFault,
  bodyFault,
  factorFault,
  newResult,
  type SchemaResult,
  tooLongFault,
  typeFault,
  wholeFault,
} from "./schema-result.ts";
import type { SchemaPlace } from "./schema-validate.ts";

/** The type, and for what is no string also its format. A number without fraction is an integer. */
export function checkType(schema: Schema, name: string, value: unknown): SchemaResult {
  const types = typesOf(schema);
  const result = newResult();
  result.matchCount = 1;
  if (value === null) {
    if (types.length === 0 || schema.nullable) return result;
    return newResult(typeFault(name, types.join(","), "null"));
  }
  const { type, format } = typeOf(value);
  const fits = types.includes(type) || (type === "integer" && types.includes("number"));
  const wanted = supportedFormat(schema);
  const isText = type === "string" || type === "array";
  if (wanted !== "" && !isText && !fits && format !== wanted) {
    return newResult(typeFault(name, wanted, format));
  }
  const numeric = types.includes("number") || types.includes("integer");
  if (wanted !== "" && isText && !numeric) return result;
  return fits ? result : newResult(typeFault(name, types.join(","), type));
}

/** Length, pattern and format of a string; the first fault of length and pattern alone. */
export function checkString({ schema, name }: SchemaPlace, value: string): SchemaResult {
  const result = newResult();
  addFault(result, lengthFault(schema, name, value));
  if (result.faults.length === 0) addFault(result, patternFault(schema, name, value));
  const format = supportedFormat(schema);
  if (format !== "" && isKnownFormat(format)) {
    if (!matchesFormat(format, value)) addFault(result, typeFault(name, format, value));
    result.matchCount++;
  }
  return result;
}

/** The range of the format, multipleOf, minimum and maximum. */
export function checkNumber({ schema, name }: SchemaPlace, value: number): SchemaResult {
  const result = newResult();
  const { minimum, maximum } = schema;
  if (schema.type === "integer" && !inRange(value, schema.format)) {
    addFault(result, rangeFault(supportedFormat(schema), name));
  }
  addFault(result, multipleFault(schema, name, value));
  if (minimum !== undefined) {
    const [bound, text] = boundOf(minimum, value);
    const exclusive = schema.exclusiveMinimum === true;
    const than = exclusive ? "greater than" : "greater than or equal to";
    const low = exclusive ? value <= bound : value < bound;
    if (low) addFault(result, bodyFault(name, value, `should be ${than} ${text}`));
  }
  if (maximum !== undefined) {
    const [bound, text] = boundOf(maximum, value);
    const exclusive = schema.exclusiveMaximum === true;
    const than = exclusive ? "less than" : "less than or equal to";
    const high = exclusive ? value >= bound : value > bound;
    if (high) addFault(result, bodyFault(name, value, `should be ${than} ${text}`));
  }
  result.matchCount++;
  return result;
}

/** The API server compares integers with the whole part of the bound, and names that. */
function boundOf(bound: number, value: number): readonly [number, string] {
  if (!isInt64(value)) return [bound, goFloat(bound)];
  return [Math.trunc(bound), String(Math.trunc(bound))];
}

function typesOf(schema: Schema): readonly string[] {
  if (schema["x-kubernetes-int-or-string"]) return ["integer", "string"];
  return schema.type ? [schema.type] : [];
}

/** As Go's JSON decoder and validator name a value. */
function typeOf(value: unknown): { readonly type: string; readonly format: string } {
  if (Array.isArray(value)) return { type: "array", format: "" };
  if (typeof value !== "number") return { type: typeof value, format: "" };
  if (isInt64(value)) return { type: "integer", format: "int64" };
  return { type: "number", format: "float64" };
}

/** The API server drops formats that it does not know for the type. */
function supportedFormat(schema: Schema): string {
  const { format = "", type } = schema;
  if (type === "integer") return format === "int32" || format === "int64" ? format : "";
  if (type === "number") return format === "float" || format === "double" ? format : "";
  if (type !== undefined && type !== "string") return "";
  return isKnownFormat(format) ? format : "";
}

function lengthFault({ minLength, maxLength }: Schema, name: string, value: string) {
  if (minLength === undefined && maxLength === undefined) return undefined;
  const length = codePointCount(value);
  if (maxLength !== undefined && length > maxLength) return tooLongFault(name, maxLength);
  if (minLength === undefined || length >= minLength) return undefined;
  return bodyFault(name, value, `should be at least ${minLength} chars long`);
}

function codePointCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function patternFault({ pattern = "" }: Schema, name: string, value: string) {
  if (pattern === "") return undefined;
  const { test, error } = re2(pattern);
  if (!test) {
    return bodyFault(name, value, `should match '${pattern}, but pattern is invalid: ${error}'`);
  }
  return test(value) ? undefined : bodyFault(name, value, `should match '${pattern}'`);
}

function inRange(value: number, format = ""): boolean {
  return format === "int32" ? value === (value | 0) : isInt64(value);
}

function rangeFault(format: string, name: string) {
  const of = format === "" ? "(default format)" : `with format ${format}`;
  return wholeFault(`Checked value must be of type integer ${of} in ${name}`);
}

/** Integers exactly, by the whole part of the factor; fractions about, as Go's swag does it. */
function multipleFault({ multipleOf }: Schema, name: string, value: number) {
  if (multipleOf === undefined) return undefined;
  const [factor, text] = boundOf(multipleOf, value);
  if (factor <= 0) return factorFault(name, factor);
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  const fits = isInt64(value) ? value % factor === 0 : isNearlyInteger(quotient);
  return fits ? undefined : bodyFault(name, value, `should be a multiple of ${text}`);
}

function isNearlyInteger(value: number): boolean {
  if (Math.abs(value) >= 2 ** 53) return false;
  const whole = Math.trunc(value);
  const difference = Math.abs(value - whole);
  if (value === whole) return true;
  if (value === 0 || whole === 0) return difference < 1e-9 * Number.MIN_VALUE;
  return difference / (Math.abs(value) + Math.abs(whole)) < 1e-9;
}
