/**
 * A Kubernetes quantity: `digits` thousandths of thousandths... kept exactly, as `value / 10^9`.
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export interface Quantity {
  /** In billionths (1e-9); more precise values are rounded up, away from zero. */
  readonly nano: bigint;
  readonly form: "binary" | "decimal" | "exponent";
}

/** Reads "500m", "1.5Gi", "1e3" or a number; undefined for what is none. */
export function parseQuantity(text: string | number): Quantity | undefined {
  const match = QUANTITY.exec(String(text));
  if (!match) return undefined;
  const [, sign = "", whole = "", point = "", fraction = "", suffix = ""] = match;
  if (whole === "" && (point === "" || fraction === "")) return undefined;
  const scale = scaleOf(suffix);
  if (!scale) return undefined;
  const digits = BigInt(`${whole}${fraction}` || "0");
  const power = scale.power + 9 - fraction.length;
  const scaled = digits * scale.factor;
  const nano = power >= 0 ? scaled * 10n ** BigInt(power) : divideUp(scaled, 10n ** BigInt(-power));
  return { nano: sign === "-" ? -nano : nano, form: scale.form };
}

/** The canonical text: no fraction, the largest suffix that divides it ("0.5" is "500m", "1024Ki" is "1Mi"). */
function canonicalQuantity({ nano, form }: Quantity): string {
  if (nano === 0n) return "0";
  // Binary suffixes need whole numbers of at least 1024, as in Go.
  const size = nano < 0n ? -nano : nano;
  if (form === "binary" && size >= 1024n * UNIT && nano % UNIT === 0n)
    return binaryText(nano / UNIT);
  return decimalText(nano, form);
}

/** Reads and writes it in canonical form; undefined for what is no quantity. */
export function normalQuantity(text: string | number): string | undefined {
  const quantity = parseQuantity(text);
  return quantity && canonicalQuantity(quantity);
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nano === b.nano ? 0 : a.nano < b.nano ? -1 : 1;
}

const QUANTITY = /^([+-]?)(\d*)(\.?)(\d*)([A-Za-z]*(?:[+-]?\d+)?)$/;
const UNIT = 10n ** 9n;
const BINARY = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const DECIMAL = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];

interface Scale {
  readonly factor: bigint;
  readonly power: number;
  readonly form: Quantity["form"];
}

function scaleOf(suffix: string): Scale | undefined {
  const binary = BINARY.indexOf(suffix);
  if (binary >= 0) return { factor: 1024n ** BigInt(binary + 1), power: 0, form: "binary" };
  const decimal = DECIMAL.indexOf(suffix);
  if (decimal >= 0) return { factor: 1n, power: 3 * (decimal - 3), form: "decimal" };
  const exponent = /^[eE]([+-]?\d{1,4})$/.exec(suffix)?.[1];
  return exponent === undefined
    ? undefined
    : { factor: 1n, power: Number(exponent), form: "exponent" };
}

function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}

function binaryText(whole: bigint): string {
  let value = whole;
  let index = -1;
  while (value % 1024n === 0n && index < BINARY.length - 1) {
    value /= 1024n;
    index++;
  }
  return `${value}${BINARY[index] ?? ""}`;
}

function decimalText(nano: bigint, form: Quantity["form"]): string {
  let value = nano;
  let power = -9;
  const most = form === "exponent" ? Number.POSITIVE_INFINITY : 18;
  while (value % 1000n === 0n && power < most) {
    value /= 1000n;
    power += 3;
  }
  if (form === "exponent") return power === 0 ? `${value}` : `${value}e${power}`;
  return `${value}${DECIMAL[power / 3 + 3]}`;
}
