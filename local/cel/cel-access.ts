import {
  CelError,
  type CelKey,
  type CelValue,
  isList,
  isMap,
  keyOf,
  Optional,
  typeNameOf,
} from "./cel-value.ts";

/** A field, entry or item; undefined if it is not there. */
export function fieldOf(of: CelValue | undefined, key: CelValue): CelValue | undefined {
  if (of === undefined) return undefined;
  if (isMap(of)) return of.get(mapKey(key));
  if (!isList(of)) return undefined;
  const index = keyOf(key);
  return typeof index === "bigint" && index >= 0n ? of[Number(index)] : undefined;
}

export function optionalOf(value: CelValue | undefined): Optional {
  return value === undefined ? Optional.NONE : new Optional(value);
}

export function mapKey(value: CelValue): CelKey {
  const key = keyOf(value);
  if (key === undefined) throw new CelError(`unsupported key type: ${typeNameOf(value)}`);
  return key;
}
