import { compareQuantities, parseQuantity, type Quantity } from "../kube/quantity.ts";
import type { CelLibrary } from "./cel-library.ts";
import { type CelType, readType } from "./cel-type.ts";
import { CelError, Opaque } from "./cel-value.ts";

const UNIT = 10n ** 9n;

class QuantityValue extends Opaque {
  override readonly type: CelType = readType("kubernetes.Quantity");
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  override equals(other: Opaque): boolean {
    return other instanceof QuantityValue && compare(this, other) === 0;
  }
}

/** https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-quantity-library */
export const QUANTITIES: CelLibrary = {
  quantity: { "(string) kubernetes.Quantity": quantityOf },
  isQuantity: { "(string) bool": (text: string) => parseQuantity(text) !== undefined },
  sign: {
    "(kubernetes.Quantity) int": ({ quantity }: QuantityValue) =>
      quantity.nano > 0n ? 1n : quantity.nano < 0n ? -1n : 0n,
  },
  isGreaterThan: {
    "kubernetes.Quantity.(kubernetes.Quantity) bool": (a: QuantityValue, b: QuantityValue) =>
      compare(a, b) > 0,
  },
  isLessThan: {
    "kubernetes.Quantity.(kubernetes.Quantity) bool": (a: QuantityValue, b: QuantityValue) =>
      compare(a, b) < 0,
  },
  compareTo: {
    "kubernetes.Quantity.(kubernetes.Quantity) int": (a: QuantityValue, b: QuantityValue) =>
      BigInt(compare(a, b)),
  },
  asApproximateFloat: {
    "kubernetes.Quantity.() double": ({ quantity }: QuantityValue) => Number(quantity.nano) / 1e9,
  },
  isInteger: {
    "kubernetes.Quantity.() bool": (value: QuantityValue) => integerOf(value) !== undefined,
  },
  asInteger: {
    "kubernetes.Quantity.() int": (value: QuantityValue) => {
      const integer = integerOf(value);
      if (integer === undefined) throw new CelError("cannot convert value to integer");
      return integer;
    },
  },
  add: sums((a, b) => a + b),
  sub: sums((a, b) => a - b),
};

function quantityOf(text: string): QuantityValue {
  const quantity = parseQuantity(text);
  if (quantity) return new QuantityValue(quantity);
  throw new CelError(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  );
}

function compare(a: QuantityValue, b: QuantityValue): number {
  return compareQuantities(a.quantity, b.quantity);
}

function integerOf({ quantity: { nano } }: QuantityValue): bigint | undefined {
  const whole = nano / UNIT;
  return nano % UNIT === 0n && BigInt.asIntN(64, whole) === whole ? whole : undefined;
}

function sums(of: (a: bigint, b: bigint) => bigint): CelLibrary[string] {
  const added = ({ quantity }: QuantityValue, nano: bigint) =>
    new QuantityValue({ ...quantity, nano: of(quantity.nano, nano) });
  return {
    "kubernetes.Quantity.(kubernetes.Quantity) kubernetes.Quantity": (
      a: QuantityValue,
      b: QuantityValue,
    ) => added(a, b.quantity.nano),
    "kubernetes.Quantity.(int) kubernetes.Quantity": (a: QuantityValue, b: bigint) =>
      added(a, b * UNIT),
  };
}
