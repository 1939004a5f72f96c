import { celLiteral } from "./cel-text.ts";
import type { StructuralSchema } from "./custom-resource-definition.ts";
import { type AnyCheck, checksOf, type DefOf, fault, type Place } from "./place.ts";

/** Numbers. The limits of whole numbers that zod has, those of JavaScript, are left out. */
export function numberSchema(def: DefOf<"number">, place: Place): StructuralSchema {
  if ("coerce" in def && def.coerce) {
    return fault(place, "the API server does not convert values to numbers", "use z.number()");
  }
  const checks = checksOf(def);
  const formats = checks.flatMap(({ check, format = "" }) =>
    check === "number_format" ? [format] : [],
  );
  const whole = formats.some((format) => /int/.test(format));
  const format = formats.map((name) => FORMATS[name]).find((name) => name !== undefined);
  const bounds = [...checks, ...(formats.includes("uint32") ? UINT32 : [])];
  boundFaults(checks, { whole, place });
  return {
    type: whole ? "integer" : "number",
    ...(format && { format }),
    ...combinedBounds(bounds, whole),
    ...multiple(checks, place),
  };
}

const FORMATS: Readonly<Record<string, string>> = {
  int32: "int32",
  uint32: "int64",
  float32: "float",
  float64: "double",
};

const UINT32: readonly AnyCheck[] = [
  { check: "greater_than", value: 0, inclusive: true },
  { check: "less_than", value: 2 ** 32 - 1, inclusive: true },
];

/** Bounds that no number is within, or that are none. */
function boundFaults(
  checks: readonly AnyCheck[],
  { whole, place }: { readonly whole: boolean; readonly place: Place },
): void {
  const most = whole ? 2 ** 63 : Infinity;
  for (const { check, value = 0 } of checks) {
    const takesNone =
      (check === "greater_than" && value >= most) || (check === "less_than" && value <= -most);
    const bound = check === "greater_than" || check === "less_than";
    if (!takesNone && !(bound && Number.isNaN(value))) continue;
    fault(place, `no number is within the bound ${value}`, "name one that numbers reach");
  }
}

function combinedBounds(checks: readonly AnyCheck[], whole: boolean): StructuralSchema {
  const lower = tightest(checks, "greater_than");
  const upper = tightest(checks, "less_than");
  const bounds = [lower && lowerBound(lower, whole), upper && upperBound(upper, whole)];
  const rules = bounds.flatMap((bound) => bound?.["x-kubernetes-validations"] ?? []);
  return {
    ...bounds[0],
    ...bounds[1],
    ...(rules.length > 0 && { "x-kubernetes-validations": rules }),
  };
}

/** The highest lower bound, or the lowest upper one; of two equal ones, that which leaves more out. */
function tightest(checks: readonly AnyCheck[], name: "greater_than" | "less_than") {
  const sign = name === "greater_than" ? -1 : 1;
  const order = ({ value = 0, inclusive }: AnyCheck, other: AnyCheck) =>
    sign * (value - (other.value ?? 0)) || Number(inclusive) - Number(other.inclusive);
  return checks
    .filter(({ check, value }) => check === name && Number.isFinite(value))
    .toSorted(order)[0];
}

function lowerBound({ value = 0, inclusive = true }: AnyCheck, whole: boolean): StructuralSchema {
  if (whole && beyond(value)) return {};
  if (whole) return { minimum: inclusive ? Math.ceil(value) : Math.floor(value) + 1 };
  if (beyond(value)) return byRule(inclusive ? ">=" : ">", value);
  if (Number.isInteger(value))
    return { minimum: value, ...(!inclusive && { exclusiveMinimum: true }) };
  return { minimum: Math.floor(value), ...byRule(inclusive ? ">=" : ">", value) };
}

function upperBound({ value = 0, inclusive = true }: AnyCheck, whole: boolean): StructuralSchema {
  if (whole && beyond(value)) return {};
  if (whole) return { maximum: inclusive ? Math.floor(value) : Math.ceil(value) - 1 };
  if (beyond(value)) return byRule(inclusive ? "<=" : "<", value);
  if (Number.isInteger(value))
    return { maximum: value, ...(!inclusive && { exclusiveMaximum: true }) };
  return { maximum: Math.ceil(value), ...byRule(inclusive ? "<=" : "<", value) };
}

/** The API server makes 64 bits of bounds, of those beyond others than they are. */
function beyond(value: number): boolean {
  return Math.abs(value) >= 2 ** 63;
}

/** The API server compares whole numbers with the whole part of a bound: 0 would be above 0.5. */
function byRule(comparison: string, value: number): StructuralSchema {
  const rule = `self ${comparison} ${celLiteral(value, "number")}`;
  return { "x-kubernetes-validations": [{ rule, message: `must be ${comparison} ${value}` }] };
}

function multiple(checks: readonly AnyCheck[], place: Place): StructuralSchema {
  const factors = checks.flatMap(({ check, value = 1 }) =>
    check === "multiple_of" ? [value] : [],
  );
  const odd = factors.find((factor) => !Number.isSafeInteger(factor) || factor < 1);
  if (odd !== undefined) {
    const why = `the API server cannot check multiples of ${odd}`;
    return fault(place, why, "use another unit, so that it is a whole number from 1 to 2^53");
  }
  const [multipleOf, ...more] = factors;
  if (multipleOf === undefined) return {};
  return {
    multipleOf,
    ...(more.length > 0 && { allOf: more.map((factor) => ({ multipleOf: factor })) }),
  };
}
