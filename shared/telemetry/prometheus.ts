import {
  type MetricDefinition,
  metricDefinition,
  prometheusName,
  SECONDS_BUCKETS,
  snakeCase,
} from "./metric-names.ts";
import type { Labels, Metrics } from "./metrics.ts";

/** The content type that goes with `render()`. */
export const PROMETHEUS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** So that a label with too many values cannot fill the memory; further series are not kept. */
const MAX_SERIES = 10_000;

export interface PrometheusMetrics extends Metrics {
  /** The page, in text exposition format 0.0.4. https://prometheus.io/docs/instrumenting/exposition_formats/ */
  readonly render: () => string;
}

interface Series {
  readonly labels: string;
  value: number;
  /** Of a histogram: how many values lie in each bucket (not summed up), and how many there are. */
  readonly buckets: number[];
  count: number;
}

interface Family {
  readonly definition: MetricDefinition;
  readonly series: Map<string, Series>;
}

/**
 * Metrics in memory, rendered as a page for Prometheus to read.
 *
 * @param common Labels of every series.
 */
export function createPrometheusMetrics(common: Labels = {}): PrometheusMetrics {
  const families = new Map<string, Family>();
  let kept = 0;
  const seriesOf = (name: string, kind: MetricDefinition["kind"], labels: Labels): Series => {
    const family = families.get(name) ?? { definition: defined(name, kind), series: new Map() };
    families.set(name, family);
    const text = labelText({ ...common, ...labels });
    const known = family.series.get(text);
    if (known) return known;
    const made = { labels: text, value: 0, buckets: [], count: 0 };
    if (kept >= MAX_SERIES) return made;
    kept += 1;
    family.series.set(text, made);
    return made;
  };
  return {
    count(name, labels = {}, by = 1) {
      seriesOf(name, "counter", labels).value += by;
    },
    gauge(name, value, labels = {}) {
      seriesOf(name, "gauge", labels).value = value;
    },
    observe(name, value, labels = {}) {
      if (!Number.isFinite(value)) return;
      const series = seriesOf(name, "histogram", labels);
      const at = bucketsOf(families.get(name)?.definition).findIndex((bound) => value <= bound);
      if (at >= 0) series.buckets[at] = (series.buckets[at] ?? 0) + 1;
      series.value += value;
      series.count += 1;
    },
    render() {
      const names = [...families.keys()].sort();
      return names.map((name) => page(name, families.get(name) as Family)).join("");
    },
  };
}

/** A metric that the table lacks is shown all the same: a missing text must not fail a process. */
function defined(name: string, kind: MetricDefinition["kind"]): MetricDefinition {
  return metricDefinition(name) ?? { kind, unit: "Count", help: "" };
}

function bucketsOf(definition: MetricDefinition | undefined): readonly number[] {
  return definition?.buckets ?? SECONDS_BUCKETS;
}

function page(name: string, { definition, series }: Family): string {
  const full = prometheusName(name);
  const help = definition.help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  const lines = [`# HELP ${full} ${help}`, `# TYPE ${full} ${definition.kind}`];
  for (const each of series.values()) {
    if (definition.kind === "histogram") lines.push(...histogram(full, each, definition));
    else lines.push(`${full}${braces(each.labels)} ${number(each.value)}`);
  }
  return `${lines.join("\n")}\n`;
}

function histogram(full: string, series: Series, definition: MetricDefinition): string[] {
  const { labels, value, count } = series;
  let sum = 0;
  const buckets = bucketsOf(definition).map((bound, index) => {
    sum += series.buckets[index] ?? 0;
    return `${full}_bucket${braces(labels, `le="${bound}"`)} ${sum}`;
  });
  return [
    ...buckets,
    `${full}_bucket${braces(labels, 'le="+Inf"')} ${count}`,
    `${full}_sum${braces(labels)} ${number(value)}`,
    `${full}_count${braces(labels)} ${count}`,
  ];
}

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, value]) => `${snakeCase(label)}="${escaped(value)}"`)
    .join(",");
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function braces(...parts: readonly string[]): string {
  const text = parts.filter((part) => part !== "").join(",");
  return text === "" ? "" : `{${text}}`;
}

/** As Go writes numbers. */
function number(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? "+Inf" : "-Inf";
}
