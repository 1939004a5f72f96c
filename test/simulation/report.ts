import { actText } from "./act.ts";
import { faultNames } from "./plan.ts";
import type { SimulationResult } from "./simulation.ts";

/** What a search did, as lines. */
export function reportOf(results: readonly SimulationResult[], seconds: number): readonly string[] {
  const sum = (of: (result: SimulationResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  const events = sum((result) => result.events);
  const hours = sum((result) => result.virtualMs) / 3_600_000;
  const faults = countsOf(results);
  return [
    `seeds searched: ${results.length} in ${seconds.toFixed(1)} s, ${hours.toFixed(1)} virtual hours`,
    `events: ${events}, ${Math.round(events / seconds)} a second`,
    `objects: ${sum((result) => result.objects)}, changes: ${sum((result) => result.changes)}, reconciles: ${sum((result) => result.runs)}, killed in their midst: ${sum((result) => result.killed)}`,
    `faults injected: ${faults.reduce((total, [, count]) => total + count, 0)}`,
    ...faults.map(([name, count]) => `  ${String(count).padStart(6)}  ${name}`),
    `violations: ${sum((result) => result.violations.length)}`,
  ];
}

/** Nobody reads more. */
const MOST_ACTS = 100;

/** What went wrong in one seed, and what the outside did to it, as lines. */
export function failureOf({ seed, violations, plan }: SimulationResult): readonly string[] {
  return [
    `seed ${seed} violates:`,
    ...violations
      .slice(0, 10)
      .map(({ atMs, checker, text }) => `  ${(atMs / 1_000).toFixed(3)} s  ${checker}: ${text}`),
    `after ${plan.length} acts${plan.length > MOST_ACTS ? `, the last ${MOST_ACTS} of them` : ""}:`,
    ...plan.slice(-MOST_ACTS).map((act) => `  ${actText(act)}`),
  ];
}

function countsOf(results: readonly SimulationResult[]): readonly (readonly [string, number])[] {
  const counts = new Map(faultNames().map((name) => [name, 0]));
  for (const { plan } of results) {
    for (const { name } of plan) {
      const count = counts.get(name);
      if (count !== undefined) counts.set(name, count + 1);
    }
  }
  return [...counts];
}
