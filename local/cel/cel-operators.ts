import { fieldOf, mapKey, optionalOf } from "./cel-access.ts";
import { equalValues, includes } from "./cel-equal.ts";
import type { CelImplementation, CelLibrary } from "./cel-library.ts";
import { compareValues } from "./cel-order.ts";
import {
  CelError,
  type CelList,
  type CelMap,
  type CelValue,
  Duration,
  int64,
  isList,
  isMap,
  keyOf,
  type ListKind,
  listKindOf,
  Optional,
  Timestamp,
  Uint,
  withListKind,
} from "./cel-value.ts";

type Ints = (a: bigint, b: bigint) => bigint;
type Doubles = (a: number, b: number) => number;

/** An operation on two integers of a kind, and on two doubles where these have it. */
function arithmetic(ints: Ints, doubles?: Doubles): Record<string, CelImplementation> {
  return {
    "(int, int) int": (a: bigint, b: bigint) => int64(ints(a, b)),
    "(uint, uint) uint": (a: Uint, b: Uint) => new Uint(ints(a.value, b.value)),
    ...(doubles && { "(double, double) double": doubles }),
  };
}

function nonZero(divisor: bigint, error: string): bigint {
  if (divisor === 0n) throw new CelError(error);
  return divisor;
}

const NUMBERS = ["int", "uint", "double"];

/** Numbers are ordered across their kinds; all else only among its own. */
function ordering(decide: (order: number) => boolean): Record<string, CelImplementation> {
  const compare = (a: CelValue, b: CelValue) => decide(compareValues(a, b));
  const pairs = [
    ...NUMBERS.flatMap((a) => NUMBERS.map((b) => [a, b])),
    ...["bool", "string", "bytes", "timestamp", "duration"].map((each) => [each, each]),
  ];
  return Object.fromEntries(pairs.map(([a, b]) => [`(${a}, ${b}) bool`, compare]));
}

/** The operators, by the names that cel-go gives them in faults. */
export const OPERATORS: CelLibrary = {
  "_==_": { "(A, A) bool": equalValues },
  "_!=_": { "(A, A) bool": (a: CelValue, b: CelValue) => !equalValues(a, b) },
  "_<_": ordering((order) => order < 0),
  "_<=_": ordering((order) => order <= 0),
  "_>_": ordering((order) => order > 0),
  "_>=_": ordering((order) => order >= 0),
  "_-_": {
    ...arithmetic(
      (a, b) => a - b,
      (a, b) => a - b,
    ),
    "(timestamp, timestamp) duration": (a: Timestamp, b: Timestamp) =>
      new Duration(a.nanos - b.nanos),
    "(timestamp, duration) timestamp": (a: Timestamp, b: Duration) =>
      new Timestamp(a.nanos - b.nanos),
    "(duration, duration) duration": (a: Duration, b: Duration) => new Duration(a.nanos - b.nanos),
  },
  "_*_": arithmetic(
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  "_/_": arithmetic(
    (a, b) => a / nonZero(b, "division by zero"),
    (a, b) => a / b,
  ),
  "_%_": arithmetic((a, b) => a % nonZero(b, "modulus by zero")),
  "_+_": {
    ...arithmetic(
      (a, b) => a + b,
      (a, b) => a + b,
    ),
    "(string, string) string": (a: string, b: string) => a + b,
    "(bytes, bytes) bytes": (a: Uint8Array, b: Uint8Array) => new Uint8Array([...a, ...b]),
    "(list(A), list(A)) list(A)": added,
    "(duration, duration) duration": (a: Duration, b: Duration) => new Duration(a.nanos + b.nanos),
    "(timestamp, duration) timestamp": (a: Timestamp, b: Duration) =>
      new Timestamp(a.nanos + b.nanos),
    "(duration, timestamp) timestamp": (a: Duration, b: Timestamp) =>
      new Timestamp(a.nanos + b.nanos),
  },
  "-_": {
    "(int) int": (a: bigint) => int64(-a),
    "(double) double": (a: number) => -a,
  },
  "!_": { "(bool) bool": (a: boolean) => !a },
  "_?_:_": {
    "(bool, A, A) A": (condition: boolean, a: CelValue, b: CelValue) => (condition ? a : b),
  },
  "@in": {
    "(A, list(A)) bool": (wanted: CelValue, list: CelList) => includes(list, wanted),
    "(A, map(A, B)) bool": (wanted: CelValue, map: CelMap) => {
      const key = keyOf(wanted);
      return key !== undefined && map.has(key);
    },
  },
  "_[_]": {
    "(list(A), int) A": item,
    "(map(A, B), A) B": entry,
    "(optional_type(list(A)), int) optional_type(A)": maybe,
    "(optional_type(map(A, B)), A) optional_type(B)": maybe,
  },
  "_[?_]": {
    "(list(A), int) optional_type(A)": maybe,
    "(map(A, B), A) optional_type(B)": maybe,
    "(optional_type(list(A)), int) optional_type(A)": maybe,
    "(optional_type(map(A, B)), A) optional_type(B)": maybe,
  },
};

function item(list: CelList, index: bigint): CelValue {
  const found = fieldOf(list, index);
  if (found === undefined) throw new CelError(`index out of bounds: ${index}`);
  return found;
}

function entry(map: CelMap, key: CelValue): CelValue {
  const found = fieldOf(map, key);
  if (found === undefined) throw new CelError(`no such key: ${mapKey(key)}`);
  return found;
}

function maybe(of: CelValue, key: CelValue): CelValue {
  return optionalOf(fieldOf(of instanceof Optional ? of.value : of, key));
}

/** Lists of type set and map take the items of the second that they lack, or whose key they have. */
function added(a: CelList, b: CelList): CelList {
  const kind = listKindOf(a);
  if (kind === undefined) return [...a, ...b];
  const items = [...a];
  for (const each of b) {
    const at = items.findIndex((own) => sameItem(own, each, kind));
    if (at < 0) items.push(each);
    else if (kind !== "set") items[at] = each;
  }
  return withListKind(items, kind);
}

function sameItem(a: CelValue, b: CelValue, kind: ListKind): boolean {
  if (kind === "set" || !isMap(a) || !isMap(b)) return equalValues(a, b);
  return kind.every((key) => equalValues(a.get(key) ?? null, b.get(key) ?? null));
}

export function isEmptyValue(value: CelValue): boolean {
  if (isList(value)) return value.length === 0;
  if (isMap(value)) return value.size === 0;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration || value instanceof Timestamp) return value.nanos === 0n;
  return value === null || value === false || value === 0n || value === 0 || value === "";
}
