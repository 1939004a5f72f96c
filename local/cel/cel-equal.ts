import {
  type CelList,
  type CelMap,
  type CelValue,
  Duration,
  isList,
  isMap,
  listKindOf,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
} from "./cel-value.ts";

/** Whether two values are equal: numbers of any kind by their value, different types never. */
export function equalValues(a: CelValue, b: CelValue): boolean {
  const numbers = compareNumbers(a, b);
  if (numbers !== undefined) return numbers === 0;
  if (isList(a)) return isList(b) && equalLists(a, b);
  if (isMap(a)) return isMap(b) && equalMaps(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.type === b.type;
  if (a instanceof Opaque) return b instanceof Opaque && a.type.name === b.type.name && a.equals(b);
  if (a instanceof Optional) return b instanceof Optional && equalOptionals(a, b);
  return a === b;
}

/** Negative, 0 or positive; NaN where one of them is none; undefined if one is no number. */
export function compareNumbers(a: CelValue, b: CelValue): number | undefined {
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left === undefined || right === undefined) return undefined;
  // JavaScript compares a bigint and a number by their exact values.
  if (left < right) return -1;
  if (left > right) return 1;
  // biome-ignore lint/suspicious/noDoubleEquals: 1n and 1 are to be equal.
  return left == right ? 0 : Number.NaN;
}

function numberOf(value: CelValue): bigint | number | undefined {
  if (value instanceof Uint) return value.value;
  return typeof value === "bigint" || typeof value === "number" ? value : undefined;
}

function equalOptionals(a: Optional, b: Optional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equalValues(a.value, b.value);
}

function equalLists(a: CelList, b: CelList): boolean {
  if (a.length !== b.length) return false;
  const kind = listKindOf(a);
  if (kind === undefined) return a.every((item, index) => equalValues(item, b[index] ?? null));
  return a.every((item) => includes(b, item)) && b.every((item) => includes(a, item));
}

export function includes(list: CelList, wanted: CelValue): boolean {
  return list.some((each) => equalValues(each, wanted));
}

function equalMaps(a: CelMap, b: CelMap): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([key, value]) => {
    const other = b.get(key);
    return other !== undefined && equalValues(value, other);
  });
}
