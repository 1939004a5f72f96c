import type { Logger } from "../api/log.ts";
import type { Outcome, RunEnd } from "../queue/record.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { DeadlineError } from "./deadline.ts";
import type { RunAnswer } from "./run-object.ts";

/** Metrics of outcomes beside ReconcileTotal: those on which alarms stand. */
const COUNTERS: Partial<Record<Outcome, string>> = {
  error: "ReconcileErrors",
  terminal_error: "TerminalErrors",
  throttled: "Throttled",
  conflict: "Conflicts",
  given_up: "GivenUp",
};

/** One log line and the metrics of a run that ended, or that lost its record. */
export function reportRun(
  { log, metrics, controller }: { log: Logger; metrics: Metrics; controller: string },
  run: { answer: RunAnswer; end: RunEnd; ended: boolean; seconds: number },
): void {
  const { answer, end, ended, seconds } = run;
  const { outcome } = end;
  const fields = { outcome, durationMs: Math.round(seconds * 1_000) };
  if (!ended) {
    metrics.count("LostRecords", { controller });
    log.error("run lost its record: another run has started", fields);
    return;
  }
  metrics.count("ReconcileTotal", { controller, result: outcome });
  metrics.observe("ReconcileSeconds", seconds, { controller });
  const counter = COUNTERS[outcome];
  if (counter) metrics.count(counter, { controller });
  if (overTime(answer.error)) metrics.count("Timeouts", { controller });
  const { error } = answer;
  const failed = outcome === "error" || outcome === "terminal_error" || outcome === "given_up";
  if (failed) log.error("reconcile failed", { ...fields, failures: end.failures, error });
  else if (error !== undefined) log.warn("reconcile ended early", { ...fields, error });
  else log.info("reconcile ended", fields);
}

function overTime(error: unknown): boolean {
  return (
    error instanceof DeadlineError ||
    (error instanceof Error && error.cause instanceof DeadlineError) ||
    (error instanceof Error && error.name === "AbortError")
  );
}
