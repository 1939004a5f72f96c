import { goFloat } from "../kube/schema-errors.ts";
import type { CelLibrary } from "./cel-library.ts";
import { isEmptyValue } from "./cel-operators.ts";
import { durationOf, durationText, timestampOf, timestampText } from "./cel-time.ts";
import {
  CelError,
  type CelList,
  type CelMap,
  type CelValue,
  Duration,
  int64,
  Optional,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
} from "./cel-value.ts";

const same = (value: CelValue) => value;

/** What every expression can call: conversions, sizes, types, parts of texts. */
export const STANDARD: CelLibrary = {
  bool: { "(bool) bool": same, "(string) bool": toBool },
  bytes: { "(bytes) bytes": same, "(string) bytes": (text: string) => Buffer.from(text) },
  double: {
    "(double) double": same,
    "(int) double": (value: bigint) => Number(value),
    "(uint) double": ({ value }: Uint) => Number(value),
    "(string) double": toDouble,
  },
  dyn: { "(A) dyn": same },
  duration: {
    "(duration) duration": same,
    "(string) duration": toDuration,
    "(int) duration": (nanos: bigint) => new Duration(nanos),
  },
  int: {
    "(int) int": same,
    "(uint) int": ({ value }: Uint) => int64(value),
    "(double) int": (value: number) => int64(truncated(value)),
    "(string) int": toInt,
    "(timestamp) int": ({ nanos }: Timestamp) => floored(nanos),
    "(duration) int": ({ nanos }: Duration) => nanos,
  },
  string: {
    "(string) string": same,
    "(bool) string": String,
    "(int) string": String,
    "(uint) string": ({ value }: Uint) => String(value),
    "(double) string": doubleText,
    "(bytes) string": toText,
    "(timestamp) string": timestampText,
    "(duration) string": durationText,
  },
  timestamp: {
    "(timestamp) timestamp": same,
    "(string) timestamp": toTimestamp,
    "(int) timestamp": (seconds: bigint) => new Timestamp(seconds * 10n ** 9n),
  },
  type: { "(A) type(A)": (value: CelValue) => new TypeValue(typeNameOf(value)) },
  uint: {
    "(uint) uint": same,
    "(int) uint": (value: bigint) => new Uint(value),
    "(double) uint": (value: number) => new Uint(truncated(value)),
    "(string) uint": (text: string) => new Uint(digits(text, "uint")),
  },
  size: sizes(),
  startsWith: {
    "string.(string) bool": (text: string, part: string) => text.startsWith(part),
  },
  endsWith: { "string.(string) bool": (text: string, part: string) => text.endsWith(part) },
  contains: { "string.(string) bool": (text: string, part: string) => text.includes(part) },
  ...optionals(),
};

function sizes(): CelLibrary[string] {
  const text = (value: string) => BigInt(Array.from(value).length);
  const list = (value: CelList | Uint8Array) => BigInt(value.length);
  const map = (value: CelMap) => BigInt(value.size);
  return {
    "(string) int": text,
    "string.() int": text,
    "(bytes) int": list,
    "bytes.() int": list,
    "(list(A)) int": list,
    "list(A).() int": list,
    "(map(A, B)) int": map,
    "map(A, B).() int": map,
  };
}

function optionals(): CelLibrary {
  return {
    "optional.of": { "(A) optional_type(A)": (value: CelValue) => new Optional(value) },
    "optional.none": { "() optional_type(A)": () => Optional.NONE },
    "optional.ofNonZeroValue": {
      "(A) optional_type(A)": (value: CelValue) =>
        isEmptyValue(value) ? Optional.NONE : new Optional(value),
    },
    "optional.unwrap": { "(list(optional_type(A))) list(A)": unwrapped },
    unwrapOpt: { "list(optional_type(A)).() list(A)": unwrapped },
    hasValue: {
      "optional_type(A).() bool": ({ value }: Optional) => value !== undefined,
    },
    value: {
      "optional_type(A).() A": ({ value }: Optional) => {
        if (value === undefined) throw new CelError("optional.none() dereference");
        return value;
      },
    },
    or: { "optional_type(A).(optional_type(A)) optional_type(A)": same },
    orValue: { "optional_type(A).(A) A": same },
  };
}

function unwrapped(list: readonly Optional[]): CelList {
  return list.flatMap(({ value }) => (value === undefined ? [] : [value]));
}

function toDuration(text: string): Duration {
  const duration = durationOf(text);
  if (!duration) throw conversionError("google.protobuf.Duration");
  return duration;
}

function toTimestamp(text: string): Timestamp {
  const timestamp = timestampOf(text);
  if (!timestamp) throw conversionError("google.protobuf.Timestamp");
  return timestamp;
}

function toBool(text: string): boolean {
  if (/^(1|t|T|TRUE|true|True)$/.test(text)) return true;
  if (/^(0|f|F|FALSE|false|False)$/.test(text)) return false;
  throw conversionError("bool");
}

function toDouble(text: string): number {
  if (/^[+-]?(inf|infinity)$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  throw conversionError("double");
}

function toInt(text: string): bigint {
  return int64(digits(text, "int"));
}

function digits(text: string, type: "int" | "uint"): bigint {
  if ((type === "int" ? /^[+-]?\d+$/ : /^\d+$/).test(text)) return BigInt(text.replace("+", ""));
  throw conversionError(type);
}

/** Of a text that is no value of the type. */
function conversionError(type: string): CelError {
  return new CelError(`type conversion error from 'string' to '${type}'`);
}

function truncated(value: number): bigint {
  if (!Number.isFinite(value)) throw new CelError("integer overflow");
  return BigInt(Math.trunc(value));
}

function floored(nanos: bigint): bigint {
  const seconds = nanos / 10n ** 9n;
  return nanos < 0n && nanos % 10n ** 9n !== 0n ? seconds - 1n : seconds;
}

function toText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CelError("invalid UTF-8 in bytes, cannot convert to string");
  }
}

/** As Go's strconv.FormatFloat with 'g' and no precision. */
export function doubleText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  return Object.is(value, -0) ? "-0" : goFloat(value);
}
