import { canonicalJson } from "../api/predicate.ts";
import { metricDefinition } from "../telemetry/metric-names.ts";
import type { Labels, Metrics } from "../telemetry/metrics.ts";

/** Metrics that a test can read. A name that the table lacks, or has as another kind, fails at once. */
export class RecordedMetrics implements Metrics {
  readonly #values = new Map<string, number[]>();

  count = (name: string, labels?: Labels, by = 1): void => {
    const values = this.#of("counter", name, labels);
    values[0] = (values[0] ?? 0) + by;
  };

  gauge = (name: string, value: number, labels?: Labels): void => {
    this.#of("gauge", name, labels)[0] = value;
  };

  observe = (name: string, value: number, labels?: Labels): void => {
    this.#of("histogram", name, labels).push(value);
  };

  /** All measurements: a sum for counters, the last value of gauges, every value of the rest. */
  of(name: string, labels?: Labels): readonly number[] {
    return this.#values.get(idOf(name, labels)) ?? [];
  }

  #of(kind: string, name: string, labels?: Labels): number[] {
    const defined = metricDefinition(name)?.kind;
    if (defined !== kind) {
      throw new Error(
        `cannot measure ${name}: expected a ${kind} of the table, got ${defined ?? "none"}; add it to metric-names.ts`,
      );
    }
    const id = idOf(name, labels);
    const values = this.#values.get(id) ?? [];
    this.#values.set(id, values);
    return values;
  }
}

function idOf(name: string, labels: Labels = {}): string {
  return `${name} ${canonicalJson(labels)}`;
}
