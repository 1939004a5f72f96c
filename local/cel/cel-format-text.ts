import { GO_ESCAPES } from "../go-escapes.ts";
import { doubleText } from "./cel-conversions.ts";
import type { CelLibrary } from "./cel-library.ts";
import { durationText, timestampText } from "./cel-time.ts";
import {
  CelError,
  type CelList,
  type CelValue,
  Duration,
  isList,
  isMap,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
} from "./cel-value.ts";

/** `"%s: %d".format([name, count])` and `strings.quote(text)`. */
export const TEXT_FORMAT: CelLibrary = {
  format: { "string.(list(dyn)) string": format },
  "strings.quote": { "(string) string": quoted },
};

function format(text: string, values: CelList): string {
  let next = 0;
  const shown = text.replace(
    /%(?:%|(\.\d+)?([a-zA-Z])|)/g,
    (whole, precision = "", letter = "") => {
      if (whole === "%%") return "%";
      if (letter === "") throw fault("unexpected end of string");
      const value = values[next];
      if (value === undefined) throw new CelError(`index ${next} out of range`);
      next += 1;
      return clause(letter, precision === "" ? 6 : Number(precision.slice(1)), value);
    },
  );
  if (next < values.length) {
    throw new CelError(
      `too many arguments supplied to string.format (expected ${next}, got ${values.length})`,
    );
  }
  return shown;
}

function fault(why: string): CelError {
  return new CelError(`could not parse formatting clause: ${why}`);
}

function clause(letter: string, precision: number, value: CelValue): string {
  const number = value instanceof Uint ? value.value : value;
  switch (letter) {
    case "s":
      return plain(value);
    case "d":
      if (typeof number === "bigint") return String(number);
      throw wrong("decimal clause can only be used on integers", value);
    case "f":
    case "e":
      return floating(letter, precision, value);
    case "b":
    case "o":
      if (typeof number === "bigint") return number.toString(letter === "b" ? 2 : 8);
      if (typeof value === "boolean" && letter === "b") return value ? "1" : "0";
      throw wrong(
        letter === "b"
          ? "only ints, uints, and bools can be formatted as binary"
          : "octal clause can only be used on integers",
        value,
      );
    case "x":
      return hex(value);
    case "X":
      return hex(value).toUpperCase();
    default:
      throw fault(`unrecognized formatting clause "${letter}"`);
  }
}

function wrong(why: string, value: CelValue): CelError {
  return new CelError(
    `error during formatting: ${why}, was given ${value === null ? "null_type" : typeNameOf(value)}`,
  );
}

function floating(letter: string, precision: number, value: CelValue): string {
  if (typeof value !== "number") {
    const clauseName = letter === "f" ? "fixed-point" : "scientific";
    throw wrong(`${clauseName} clause can only be used on doubles`, value);
  }
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "-∞";
  if (letter === "f") {
    return value.toLocaleString("en-US", {
      minimumFractionDigits: precision,
      maximumFractionDigits: precision,
    });
  }
  const [mantissa = "", exponent = ""] = value.toExponential(precision).split("e");
  const sign = exponent.startsWith("-") ? "⁻" : "⁺";
  const digits = exponent.replace(/^[+-]/, "").padStart(2, "0");
  return `${mantissa} × 10${sign === "⁻" ? sign : ""}${Array.from(digits, (each) => SUPERSCRIPT[Number(each)]).join("")}`;
}

const SUPERSCRIPT = Array.from("⁰¹²³⁴⁵⁶⁷⁸⁹");

function hex(value: CelValue): string {
  if (value instanceof Uint) return value.value.toString(16);
  if (typeof value === "bigint") return value.toString(16);
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  throw wrong("only integers, byte buffers, and strings can be formatted as hex", value);
}

function plain(value: CelValue): string {
  if (value === null) return "null";
  if (isList(value)) return `[${value.map(inner).join(", ")}]`;
  if (isMap(value)) {
    const entries = [...value].map(([key, each]) => `${inner(key)}:${inner(each)}`);
    return `{${entries.sort().join(", ")}}`;
  }
  if (typeof value === "string") return value;
  if (typeof value === "number") return doubleText(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof TypeValue) return value.type;
  if (value instanceof Uint) return String(value.value);
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  throw wrong(
    "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
    value,
  );
}

/** As it would be written in an expression. */
function inner(value: CelValue): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (value instanceof Uint8Array) return `b${JSON.stringify(plain(value))}`;
  if (value instanceof Timestamp) return `timestamp("${timestampText(value)}")`;
  if (value instanceof Duration) return `duration("${durationText(value)}")`;
  if (typeof value !== "number") return plain(value);
  return Number.isFinite(value) ? value.toFixed(6) : `"${doubleText(value)}"`;
}

function quoted(text: string): string {
  const escaped = Array.from(text, (each) => GO_ESCAPES[each] ?? each).join("");
  return `"${escaped}"`;
}
