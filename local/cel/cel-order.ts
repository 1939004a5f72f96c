import { compareNumbers } from "./cel-equal.ts";
import { CelError, type CelValue, Duration, Timestamp } from "./cel-value.ts";

/** Negative, 0 or positive. Throws a CelError for values that have no order, and for NaN. */
export function compareValues(a: CelValue, b: CelValue): number {
  const numbers = compareNumbers(a, b);
  if (numbers !== undefined) {
    if (Number.isNaN(numbers)) throw new CelError("NaN values cannot be ordered");
    return numbers;
  }
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  const times = a instanceof Timestamp && b instanceof Timestamp;
  if (times || (a instanceof Duration && b instanceof Duration)) {
    return a.nanos < (b as typeof a).nanos ? -1 : a.nanos > (b as typeof a).nanos ? 1 : 0;
  }
  throw new CelError("no such overload");
}

/** By code points, as the bytes of UTF-8 are ordered; JavaScript's own order is by UTF-16 units. */
function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
