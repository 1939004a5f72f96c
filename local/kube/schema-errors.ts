import { GO_ESCAPES } from "../go-escapes.ts";
import type { FieldError } from "./api-error.ts";

/**
 * Faults of fields with the texts of the API server. `field` is the whole path ("spec.ports[0].name").
 * https://pkg.go.dev/k8s.io/apimachinery/pkg/util/validation/field
 */
export function invalid(field: string, value: unknown, detail: string): FieldError {
  return fault(field, "FieldValueInvalid", `Invalid value: ${goValue(value)}: ${detail}`);
}

/** As `invalid`, for a value of another type than the schema's. */
export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  return fault(field, "FieldValueTypeInvalid", `Invalid value: ${goValue(value)}: ${detail}`);
}

export function required(field: string, detail = ""): FieldError {
  return fault(field, "FieldValueRequired", `Required value${detail && `: ${detail}`}`);
}

export function forbidden(field: string, detail: string): FieldError {
  return fault(field, "FieldValueForbidden", `Forbidden: ${detail}`);
}

export function duplicate(field: string, value: unknown): FieldError {
  return fault(field, "FieldValueDuplicate", `Duplicate value: ${goValue(value)}`);
}

export function notFound(field: string, value: unknown): FieldError {
  return fault(field, "FieldValueNotFound", `Not found: ${goValue(value)}`);
}

/** `supported` in the order in which they are named. */
export function notSupported(
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError {
  const values = supported.map(goQuote).join(", ");
  const detail = values && `: supported values: ${values}`;
  return fault(field, "FieldValueNotSupported", `Unsupported value: ${goValue(value)}${detail}`);
}

export function tooLong(field: string, max: number): FieldError {
  const bytes = max === 1 ? "byte" : "bytes";
  return fault(field, "FieldValueTooLong", `Too long: may not be more than ${max} ${bytes}`);
}

export function tooMany(field: string, actual: number, max: number): FieldError {
  const items = max === 1 ? "item" : "items";
  return fault(
    field,
    "FieldValueTooMany",
    `Too many: ${actual}: must have at most ${max} ${items}`,
  );
}

/** How a fault reads in a Status message: with its field in front. */
export function faultText({ field, message }: FieldError): string {
  return `${field}: ${message}`;
}

/** A value as Go prints it in a fault: strings quoted, numbers plain, the rest as JSON with sorted keys. */
function goValue(value: unknown): string {
  if (typeof value === "string") return goQuote(value);
  if (typeof value === "number") return goNumber(value);
  return goJson(value);
}

/** As Go's strconv.Quote. */
export function goQuote(text: string): string {
  const inner = text.replace(UNPRINTABLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const short = GO_ESCAPES[character];
    if (short) return short;
    if (code < 0x80) return `\\x${hex(code, 2)}`;
    return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
  });
  return `"${inner}"`;
}

/** A number as Go prints it: an int64 where it has no fraction, else as `goFloat`. */
function goNumber(value: number): string {
  return isInt64(value) ? String(value) : goFloat(value);
}

/** Whether Go reads that JSON number as an int64. 2 ** 63 is a double, and the first that is too large. */
export function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

/** As Go's `%v` of a float64: with an exponent of two digits from 1e+06 and up to 1e-05. */
export function goFloat(value: number): string {
  const size = Math.abs(value);
  const plain = size === 0 || (size >= 1e-4 && size < 1e6);
  const text = plain ? String(value) : value.toExponential();
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

/** As Go's json.Marshal of a map: sorted keys, and <, > and & escaped. */
export function goJson(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  return (text ?? "null").replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${hex(character.charCodeAt(0), 4)}`,
  );
}

/** A backslash, a quote, and all that is no letter, mark, number, punctuation, symbol or space. */
const UNPRINTABLE = /[\\"]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

function fault(field: string, reason: string, message: string): FieldError {
  return { reason, message, field };
}
