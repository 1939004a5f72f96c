/** One line of the table: what was measured, and what it should have been. */
export interface BenchRow {
  /** "change to start of the run, median" */
  readonly what: string;
  /** With its unit. */
  readonly value: string;
  /** With its unit. Absent: nothing is demanded, the row stands beside another one. */
  readonly target?: string;
  readonly met?: boolean;
  /** The number behind `value`, for programs that read the JSON. */
  readonly measured: number;
}

interface Bound {
  readonly limit: number;
  readonly unit: string;
  readonly digits?: number;
}

/** A row with a highest allowed value. */
export function atMost(what: string, measured: number, bound: Bound): BenchRow {
  return bounded("at most", what, measured, { ...bound, met: measured <= bound.limit });
}

/** A row with a lowest allowed value. */
export function atLeast(what: string, measured: number, bound: Bound): BenchRow {
  return bounded("at least", what, measured, { ...bound, met: measured >= bound.limit });
}

function bounded(
  side: string,
  what: string,
  measured: number,
  { limit, unit, digits = 0, met }: Bound & { readonly met: boolean },
): BenchRow {
  const value = quantity(measured, unit, digits);
  return { what, measured, value, target: `${side} ${quantity(limit, unit, digits)}`, met };
}

/** A row with one allowed value. */
export function exactly(what: string, measured: number, limit: number, unit: string): BenchRow {
  const value = quantity(measured, unit, 0);
  return { what, measured, value, target: quantity(limit, unit, 0), met: measured === limit };
}

/** A row that is only shown: a baseline, or a number that explains another one. */
export function shown(what: string, measured: number, unit: string, digits = 0): BenchRow {
  return { what, measured, value: quantity(measured, unit, digits) };
}

function quantity(value: number, unit: string, digits: number): string {
  const text = value.toLocaleString("en-US", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return unit === "" ? text : `${text} ${unit}`;
}
