import type { CelType } from "./cel-type.ts";

/**
 * A value of an expression. Integers are bigint, numbers are doubles, objects and maps are Maps: of
 * objects, the keys are the names of their fields as rules write them.
 */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | Optional
  | TypeValue
  | Opaque
  | CelList
  | CelMap;

export type CelList = readonly CelValue[];
export type CelKey = string | boolean | bigint;
export type CelMap = ReadonlyMap<CelKey, CelValue>;

/** An error of evaluation, in cel-go's words. */
export class CelError extends Error {
  override readonly name = "CelError";
}

/** An unsigned integer of 64 bits. */
export class Uint {
  readonly value: bigint;
  constructor(value: bigint) {
    if (value < 0n || value >= 1n << 64n) throw new CelError("unsigned integer overflow");
    this.value = value;
  }
}

/** An instant, in nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    if (nanos < FIRST_NANOS || nanos > LAST_NANOS) throw new CelError("timestamp overflow");
    this.nanos = nanos;
  }
}

/** The years 1 to 9999. */
const FIRST_NANOS = -62_135_596_800n * 10n ** 9n;
const LAST_NANOS = 253_402_300_800n * 10n ** 9n - 1n;

/** A length of time, in nanoseconds. */
export class Duration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = int64(nanos);
  }
}

/** A value that may be absent. */
export class Optional {
  static readonly NONE = new Optional(undefined);
  readonly value: CelValue | undefined;
  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** A type as a value: what `type(x)` answers. */
export class TypeValue {
  readonly type: string;
  constructor(type: string) {
    this.type = type;
  }
}

/** A value of a library's own type, compared as the library says. */
export abstract class Opaque {
  abstract readonly type: CelType;
  abstract equals(other: Opaque): boolean;
}

/** The number, if it fits into 64 bits; throws a CelError if not. */
export function int64(value: bigint): bigint {
  if (value < -(1n << 63n) || value >= 1n << 63n) throw new CelError("integer overflow");
  return value;
}

/**
 * How items of a list belong together: "set", or the fields that are the key of each. Such lists are
 * equal in any order, and are added without repeating.
 */
export type ListKind = "set" | readonly string[];

const LIST_KINDS = new WeakMap<CelList, ListKind>();

export function withListKind(list: CelList, kind: ListKind): CelList {
  LIST_KINDS.set(list, kind);
  return list;
}

export function listKindOf(list: CelList): ListKind | undefined {
  return LIST_KINDS.get(list);
}

export function isList(value: CelValue): value is CelList {
  return Array.isArray(value);
}

export function isMap(value: CelValue): value is CelMap {
  return value instanceof Map;
}

/** The name of a value's type, as `type(value)` prints it. */
export function typeNameOf(value: CelValue): string {
  if (value === null) return "null_type";
  if (isList(value)) return "list";
  if (isMap(value)) return "map";
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof Uint) return "uint";
  if (value instanceof Timestamp) return "google.protobuf.Timestamp";
  if (value instanceof Duration) return "google.protobuf.Duration";
  if (value instanceof Optional) return "optional_type";
  if (value instanceof TypeValue) return "type";
  if (value instanceof Opaque) return value.type.name;
  return SCALARS[typeof value] ?? typeof value;
}

const SCALARS: Readonly<Record<string, string>> = {
  boolean: "bool",
  bigint: "int",
  number: "double",
  string: "string",
};

/** The key of a map for that value: equal numbers are one key. Undefined for what can be none. */
export function keyOf(value: CelValue): CelKey | undefined {
  if (value instanceof Uint) return value.value;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : undefined;
  const scalar = typeof value === "string" || typeof value === "boolean";
  return scalar || typeof value === "bigint" ? value : undefined;
}
