import { doubleText } from "./cel-conversions.ts";
import { equalValues, includes } from "./cel-equal.ts";
import type { CelImplementation, CelLibrary } from "./cel-library.ts";
import { compareValues } from "./cel-order.ts";
import {
  CelError,
  type CelList,
  type CelValue,
  Duration,
  int64,
  isList,
  Optional,
  Uint,
} from "./cel-value.ts";

const ORDERED = ["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];

/** One function for lists of each type that has an order. */
function ordered(result: string, implementation: CelImplementation): CelLibrary[string] {
  return Object.fromEntries(
    ORDERED.map((type) => [`list(${type}).() ${result.replace("T", type)}`, implementation]),
  );
}

/** https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-list-library, and cel-go's own */
export const LISTS: CelLibrary = {
  isSorted: ordered("bool", (list: CelList) =>
    list.every((each, index) => index === 0 || compareValues(list[index - 1] ?? null, each) <= 0),
  ),
  sum: {
    "list(int).() int": (list: readonly bigint[]) => list.reduce((a, b) => int64(a + b), 0n),
    "list(uint).() uint": (list: readonly Uint[]) =>
      list.reduce((a, b) => new Uint(a.value + b.value), new Uint(0n)),
    "list(double).() double": (list: readonly number[]) => list.reduce((a, b) => a + b, 0),
    "list(duration).() duration": (list: readonly Duration[]) =>
      list.reduce((a, b) => new Duration(a.nanos + b.nanos), new Duration(0n)),
  },
  min: ordered("T", (list: CelList) => extreme(list, "min", -1)),
  max: ordered("T", (list: CelList) => extreme(list, "max", 1)),
  indexOf: {
    "list(A).(A) int": (list: CelList, wanted: CelValue) =>
      BigInt(list.findIndex((each) => equalValues(each, wanted))),
  },
  lastIndexOf: {
    "list(A).(A) int": (list: CelList, wanted: CelValue) =>
      BigInt(list.findLastIndex((each) => equalValues(each, wanted))),
  },
  slice: { "list(A).(int, int) list(A)": slice },
  flatten: {
    "list(list(A)).() list(A)": (list: CelList) => flatten(list, 1n),
    "list(dyn).(int) list(dyn)": flatten,
  },
  sort: Object.fromEntries(
    ORDERED.map((type) => [
      `list(${type}).() list(${type})`,
      (list: CelList) => [...list].sort(compareValues),
    ]),
  ),
  distinct: {
    "list(A).() list(A)": (list: CelList) =>
      list.filter((each, index) => !includes(list.slice(0, index), each)),
  },
  reverse: { "list(A).() list(A)": (list: CelList) => [...list].reverse() },
  "lists.range": { "(int) list(int)": range },
  first: { "list(A).() optional_type(A)": (list: CelList) => new Optional(list[0]) },
  last: { "list(A).() optional_type(A)": (list: CelList) => new Optional(list.at(-1)) },
};

/** https://pkg.go.dev/github.com/google/cel-go/ext#Sets */
export const SETS: CelLibrary = {
  "sets.contains": { "(list(A), list(A)) bool": contains },
  "sets.equivalent": {
    "(list(A), list(A)) bool": (a: CelList, b: CelList) => contains(a, b) && contains(b, a),
  },
  "sets.intersects": {
    "(list(A), list(A)) bool": (a: CelList, b: CelList) => a.some((each) => includes(b, each)),
  },
};

function contains(list: CelList, part: CelList): boolean {
  return part.every((each) => includes(list, each));
}

function extreme(list: CelList, name: string, sign: number): CelValue {
  const [first, ...rest] = list;
  if (first === undefined) throw new CelError(`${name} called on empty list`);
  return rest.reduce((a, b) => (compareValues(b, a) * sign > 0 ? b : a), first);
}

function slice(list: CelList, from: bigint, to: bigint): CelList {
  if (from < 0n || to < 0n) {
    throw new CelError(`cannot slice(${from}, ${to}), negative indexes not supported`);
  }
  if (from > to) {
    throw new CelError(
      `cannot slice(${from}, ${to}), start index must be less than or equal to end index`,
    );
  }
  if (to > BigInt(list.length)) {
    throw new CelError(`cannot slice(${from}, ${to}), list is length ${list.length}`);
  }
  return list.slice(Number(from), Number(to));
}

function flatten(list: CelList, depth: bigint): CelList {
  if (depth < 0n) throw new CelError("level must be non-negative");
  if (depth === 0n) return list;
  return list.flatMap((each) => (isList(each) ? flatten(each, depth - 1n) : [each]));
}

/** More would only fill the memory. */
const MOST_ITEMS = 1_000_000n;

function range(count: bigint): CelList {
  if (count > MOST_ITEMS) throw new CelError(`lists.range(${doubleText(Number(count))}): too many`);
  return Array.from({ length: Math.max(0, Number(count)) }, (_, index) => BigInt(index));
}
