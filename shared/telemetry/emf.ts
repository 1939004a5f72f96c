import { metricDefinition } from "./metric-names.ts";
import type { Labels, Metrics } from "./metrics.ts";

// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
const MAX_METRICS_PER_DIRECTIVE = 100;
const MAX_VALUES_PER_METRIC = 100;

export interface EmfOptions {
  /** Takes one line, without its line break. In a function to stdout itself: `console.log` changes it there. */
  readonly write: (line: string) => void;
  readonly nowMs: () => number;
  /** Default: "Tidegate". */
  readonly namespace?: string;
  /** On every metric, beside the labels of each: cluster and controller. */
  readonly dimensions?: Labels;
}

/** Metrics that are collected during an invocation and written at its end. */
export interface EmfMetrics extends Metrics {
  /** Writes what was collected, one line for each set of labels, and forgets it. */
  readonly flush: () => void;
}

/**
 * Metrics as log lines that CloudWatch turns into metrics (embedded metric format), so a function
 * sends nothing itself. Counters are added up and gauges keep their last value until `flush`.
 *
 * Labels become dimensions with a capital letter. Each combination of values is a metric that is
 * paid for; CloudWatch takes no empty values, so a label without one is left out.
 */
export function createEmfMetrics(options: EmfOptions): EmfMetrics {
  const groups = new Map<string, Group>();
  const valuesOf = (name: string, labels: Labels) => {
    const dimensions = dimensionsOf({ ...options.dimensions, ...labels });
    const id = JSON.stringify(dimensions);
    const group = groups.get(id) ?? {
      dimensions: Object.fromEntries(dimensions),
      values: new Map(),
    };
    groups.set(id, group);
    const values = group.values.get(name) ?? [];
    group.values.set(name, values);
    return values;
  };
  return {
    count(name, labels = {}, by = 1) {
      const values = valuesOf(name, labels);
      values[0] = (values[0] ?? 0) + by;
    },
    observe(name, value, labels = {}) {
      if (Number.isFinite(value)) valuesOf(name, labels).push(value);
    },
    gauge(name, value, labels = {}) {
      if (Number.isFinite(value)) valuesOf(name, labels)[0] = value;
    },
    flush() {
      for (const group of groups.values()) {
        for (const part of partsOf(group)) options.write(line(part, group, options));
      }
      groups.clear();
    },
  };
}

type Values = Map<string, number[]>;

interface Group {
  readonly dimensions: Labels;
  readonly values: Values;
}

type Part = readonly (readonly [name: string, values: readonly number[]])[];

function dimensionsOf(labels: Labels): [string, string][] {
  return Object.entries(labels)
    .filter(([, value]) => value !== "")
    .map(([label, value]): [string, string] => [capitalized(label), value])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function capitalized(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** What fits into one line each. A name stands at most once in a line. */
function partsOf({ values }: Group): Part[] {
  const parts: Part[] = [];
  let rest = [...values];
  while (rest.length > 0) {
    const now = rest.slice(0, MAX_METRICS_PER_DIRECTIVE);
    parts.push(now.map(([name, all]) => [name, all.slice(0, MAX_VALUES_PER_METRIC)]));
    const more = now
      .map(([name, all]): [string, number[]] => [name, all.slice(MAX_VALUES_PER_METRIC)])
      .filter(([, all]) => all.length > 0);
    rest = [...more, ...rest.slice(MAX_METRICS_PER_DIRECTIVE)];
  }
  return parts;
}

function line(part: Part, { dimensions }: Group, { nowMs, namespace = "Tidegate" }: EmfOptions) {
  const metrics = part.map(([Name]) => ({ Name, Unit: metricDefinition(Name)?.unit ?? "None" }));
  const directive = {
    Namespace: namespace,
    Dimensions: [Object.keys(dimensions)],
    Metrics: metrics,
  };
  return JSON.stringify({
    _aws: { Timestamp: nowMs(), CloudWatchMetrics: [directive] },
    ...dimensions,
    ...Object.fromEntries(part.map(([name, all]) => [name, all.length === 1 ? all[0] : all])),
  });
}
