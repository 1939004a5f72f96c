import { expect, test } from "@jest/globals";
import { METRICS, prometheusName } from "../../shared/telemetry/metric-names.ts";
import { createPrometheusMetrics } from "../../shared/telemetry/prometheus.ts";
import { RecordedMetrics } from "../../shared/testing/recorded-metrics.ts";

test("renders counters and gauges with help and type, in the order of their names", () => {
  const metrics = createPrometheusMetrics({ cluster: "main" });
  metrics.gauge("LeaseHeld", 1);
  metrics.count("RequestsSent", { controller: "website", reason: "change" });
  metrics.count("RequestsSent", { controller: "website", reason: "change" }, 2);
  metrics.count("RequestsSent", { controller: "digest", reason: "timer" });
  expect(metrics.render()).toBe(`\
# HELP tidegate_lease_held 1 where this process leads, else 0.
# TYPE tidegate_lease_held gauge
tidegate_lease_held{cluster="main"} 1
# HELP tidegate_requests_sent_total Requests sent to the queue, by reason.
# TYPE tidegate_requests_sent_total counter
tidegate_requests_sent_total{cluster="main",controller="website",reason="change"} 3
tidegate_requests_sent_total{cluster="main",controller="digest",reason="timer"} 1
`);
});

test("renders histograms with buckets that add up, sum and count", () => {
  const metrics = createPrometheusMetrics();
  for (const value of [0.01, 0.02, 0.3, 0.3, 5_000, Number.NaN]) {
    metrics.observe("ForwardSeconds", value);
  }
  const lines = metrics.render().split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "# TYPE tidegate_forward_seconds histogram",
      'tidegate_forward_seconds_bucket{le="0.01"} 1',
      'tidegate_forward_seconds_bucket{le="0.025"} 2',
      'tidegate_forward_seconds_bucket{le="0.25"} 2',
      'tidegate_forward_seconds_bucket{le="0.5"} 4',
      'tidegate_forward_seconds_bucket{le="900"} 4',
      'tidegate_forward_seconds_bucket{le="+Inf"} 5',
      "tidegate_forward_seconds_sum 5000.63",
      "tidegate_forward_seconds_count 5",
    ]),
  );
});

test("escapes label values, and writes numbers as Go does", () => {
  const metrics = createPrometheusMetrics();
  metrics.gauge("WaitingKeys", Number.POSITIVE_INFINITY, { kindName: 'a "b" \\ c\nd' });
  expect(metrics.render()).toContain(
    'tidegate_waiting_keys{kind_name="a \\"b\\" \\\\ c\\nd"} +Inf\n',
  );
});

test("keeps no more than 10,000 series", () => {
  const metrics = createPrometheusMetrics();
  for (let index = 0; index < 10_050; index += 1) {
    metrics.count("RequestsSent", { controller: `c${index}` });
  }
  metrics.count("RequestsSent", { controller: "c0" });
  const lines = metrics.render().trim().split("\n");
  expect(lines).toHaveLength(2 + 10_000);
  expect(lines[2]).toBe('tidegate_requests_sent_total{controller="c0"} 2');
});

test.each([
  ["ReconcileTotal", "tidegate_reconcile_total"],
  ["ReconcileErrors", "tidegate_reconcile_errors_total"],
  ["ReconcileSeconds", "tidegate_reconcile_seconds"],
  ["LeaseHeld", "tidegate_lease_held"],
  ["RequestsSent", "tidegate_requests_sent_total"],
])("Prometheus knows %s as %s", (name, expected) => {
  expect(prometheusName(name)).toBe(expected);
});

test("every metric of the table is well named, and says what it means", () => {
  for (const [name, { kind, unit, help }] of Object.entries(METRICS)) {
    expect(name).toMatch(/^[A-Z][A-Za-z]+$/);
    expect(help).toMatch(/^[A-Z0-9].*\.$/);
    expect([name, name.endsWith("Seconds")]).toEqual([name, unit === "Seconds"]);
    if (kind === "histogram") expect([name, unit]).toEqual([name, "Seconds"]);
  }
  const names = Object.keys(METRICS).map(prometheusName);
  expect(new Set(names).size).toBe(names.length);
});

test("in tests, a metric that the table lacks or has as another kind fails", () => {
  const metrics = new RecordedMetrics();
  metrics.count("RequestsSent", { controller: "a", reason: "b" });
  metrics.count("RequestsSent", { reason: "b", controller: "a" });
  metrics.observe("ForwardSeconds", 1);
  metrics.observe("ForwardSeconds", 2);
  expect(metrics.of("RequestsSent", { controller: "a", reason: "b" })).toEqual([2]);
  expect(metrics.of("ForwardSeconds")).toEqual([1, 2]);
  expect(() => metrics.count("Unheard")).toThrow(
    "cannot measure Unheard: expected a counter of the table, got none; add it to metric-names.ts",
  );
  expect(() => metrics.gauge("RequestsSent", 1)).toThrow(
    "expected a gauge of the table, got counter",
  );
});
