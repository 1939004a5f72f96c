import { expect, test } from "@jest/globals";
import { createEmfMetrics, type EmfOptions } from "../../shared/telemetry/emf.ts";

function emf(options: Partial<EmfOptions> = {}) {
  const lines: string[] = [];
  const metrics = createEmfMetrics({
    write: (line) => lines.push(line),
    nowMs: () => 1_700_000_000_000,
    ...options,
  });
  const flushed = () => {
    metrics.flush();
    return lines.splice(0).map((line) => JSON.parse(line));
  };
  return { metrics, flushed };
}

test("writes one line for each set of labels, which become dimensions", () => {
  const { metrics, flushed } = emf({ dimensions: { cluster: "main", controller: "website" } });
  metrics.count("ReconcileTotal", { result: "success" });
  metrics.count("ReconcileTotal", { result: "error" });
  metrics.count("ReconcileTotal", { result: "success" }, 2);
  metrics.observe("ReconcileSeconds", 0.25);
  metrics.observe("ReconcileSeconds", 0.5);
  const directive = (Dimensions: string[], Metrics: object[]) => ({
    Timestamp: 1_700_000_000_000,
    CloudWatchMetrics: [{ Namespace: "Tidegate", Dimensions: [Dimensions], Metrics }],
  });
  const total = [{ Name: "ReconcileTotal", Unit: "Count" }];
  const names = { Cluster: "main", Controller: "website" };
  expect(flushed()).toEqual([
    {
      _aws: directive(["Cluster", "Controller", "Result"], total),
      ...names,
      Result: "success",
      ReconcileTotal: 3,
    },
    {
      _aws: directive(["Cluster", "Controller", "Result"], total),
      ...names,
      Result: "error",
      ReconcileTotal: 1,
    },
    {
      _aws: directive(["Cluster", "Controller"], [{ Name: "ReconcileSeconds", Unit: "Seconds" }]),
      ...names,
      ReconcileSeconds: [0.25, 0.5],
    },
  ]);
});

test("forgets what it wrote, and writes nothing where nothing was measured", () => {
  const { metrics, flushed } = emf();
  metrics.gauge("LeaseHeld", 0);
  metrics.gauge("LeaseHeld", 1);
  expect(flushed()).toMatchObject([{ LeaseHeld: 1 }]);
  expect(flushed()).toEqual([]);
});

test("splits more than 100 values over lines, and loses none", () => {
  const { metrics, flushed } = emf();
  for (let value = 0; value < 250; value += 1) metrics.observe("QueueLagSeconds", value);
  metrics.count("Crashed");
  const lines = flushed();
  expect(lines.map(({ QueueLagSeconds }) => QueueLagSeconds.length)).toEqual([100, 100, 50]);
  expect(lines.flatMap(({ QueueLagSeconds }) => QueueLagSeconds)).toEqual(
    Array.from({ length: 250 }, (_, value) => value),
  );
  expect(lines.filter(({ Crashed }) => Crashed)).toHaveLength(1);
});

test("splits more than 100 metrics over lines, and each line declares what it holds", () => {
  const { metrics, flushed } = emf();
  for (let index = 0; index < 230; index += 1) metrics.count(`M${index}`);
  const lines = flushed();
  const declared = lines.map(({ _aws }) => _aws.CloudWatchMetrics[0].Metrics.length);
  expect(declared).toEqual([100, 100, 30]);
  for (const { _aws, ...members } of lines) {
    const names = _aws.CloudWatchMetrics[0].Metrics.map(({ Name }: { Name: string }) => Name);
    expect(Object.keys(members)).toEqual(names);
  }
});

test("leaves out what CloudWatch refuses: empty dimension values, NaN and infinity", () => {
  const { metrics, flushed } = emf();
  metrics.observe("QueueLagSeconds", Number.NaN);
  metrics.gauge("LeaseHeld", Number.POSITIVE_INFINITY);
  metrics.count("Crashed", { namespace: "" });
  expect(flushed()).toMatchObject([
    { _aws: { CloudWatchMetrics: [{ Dimensions: [[]] }] }, Crashed: 1 },
  ]);
});
