export interface MetricDefinition {
  readonly kind: "counter" | "gauge" | "histogram";
  /** CloudWatch's name of the unit. */
  readonly unit: "Count" | "Seconds" | "Bytes";
  readonly help: string;
  /** Upper bounds for Prometheus; default: `SECONDS_BUCKETS`. */
  readonly buckets?: readonly number[];
}

/** From a warm reconcile of some milliseconds to Lambda's limit of 15 minutes. */
export const SECONDS_BUCKETS = [
  0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900,
] as const;

const counter = (help: string) => ({ kind: "counter", unit: "Count", help }) as const;
const gauge = (help: string) => ({ kind: "gauge", unit: "Count", help }) as const;
const seconds = (help: string) => ({ kind: "histogram", unit: "Seconds", help }) as const;

/**
 * Every metric there is: the one place where names, kinds, units and help texts stand. CloudWatch
 * gets the names as they are, Prometheus what `prometheusName` makes of them.
 */
export const METRICS = {
  // The worker, by controller.
  ReconcileTotal: counter("Runs that ended, by result."),
  ReconcileSeconds: seconds("How long a run took, from start to end."),
  ReconcileErrors: counter("Runs that failed and are repeated with backoff."),
  TerminalErrors: counter("Runs that failed for good, until the object changes."),
  Timeouts: counter("Runs that were ended at the function's deadline."),
  Crashed: counter("Runs that never ended: the function was killed or ran out of memory."),
  GivenUp: counter("Objects that failed as often as maxAttempts allows."),
  Throttled: counter("Runs that the API server answered with 429 or 503."),
  Conflicts: counter("Runs that met a conflict on the object, its status or its finalizer."),
  SelfWakes: counter("Runs of objects that kept waking themselves by their own writes."),
  Locked: counter("Starts that met another run of the same object."),
  LostRecords: counter("Runs that found at their end that another had taken over."),
  QueueLagSeconds: seconds("From the sending of a request to the start of its run."),
  VersionSkew: counter("Messages of a newer version, or of a controller that this code lacks."),
  UnreadableMessages: counter("Messages without a readable key."),
  FinalizerSeconds: seconds("How long a finalize took."),
  Applied: counter("Objects applied, by result: sent, or skipped as they were the same."),
  EventFailures: counter("Kubernetes Events that could not be recorded."),

  // Leadership.
  LeaseHeld: gauge("1 where this process leads, else 0."),
  LeaseTerms: counter("Times that this process began to lead."),
  LeaseFailures: counter("Tries for the lease, or to renew it, that got no answer."),
  LeaseRefused: counter("Tries for a lease that belongs to another cluster of the same name."),

  // The watcher, by source.
  SourceSynced: gauge("1 where a source has listed and watches, else 0."),
  SourceUnavailable: gauge("1 where a source's kind is missing or forbidden, else 0."),
  SourceAgeSeconds: { ...gauge("Since a source's last sign of life."), unit: "Seconds" },
  CachedObjects: gauge("Objects that the watcher remembers."),
  WatchChanges: counter("Changes that lists and watches reported."),
  WatchStarts: counter("Watches that were opened."),
  Relists: counter("Lists after the first."),
  RelistRepairs: counter("Differences that a list found and no watch had reported."),

  // From change to message, by controller.
  PassedChanges: counter("Changes that passed all predicates."),
  RequestsCovered: counter("Requests not sent, for the last run had seen it all."),
  RequestsHeld: counter("Requests that waited for the end of a run."),
  RequestsInDoubt: counter("Requests sent without knowing the record."),
  RequestsSent: counter("Requests sent to the queue, by reason."),
  SendFailures: counter("Requests that could not be sent; they wait and are sent again."),
  ReadFailures: counter("Reads of records that failed before a send."),
  ForwardSeconds: seconds("From a change to its request in the queue."),
  WaitingKeys: gauge("Objects that wait to be sent."),
  SlowRequests: gauge("Objects that wait in the slow lane."),
  DefinitionErrors: counter("Predicates and maps of a definition that threw, by part."),
  RetriesWoken: counter("Waits for a retry that a change cut short."),
  TimersFired: counter("Timers that became due and were sent."),
  TimerLagSeconds: seconds("From a timer's moment to its request in the queue."),
  BackfillSeconds: seconds("How long a backfill took."),
  BackfillRequests: counter("Requests that backfills sent, by reason."),
  RevisionStopped: gauge("1 where a new revision failed too often and is no longer rolled out."),
} as const satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof METRICS;

/** The definition of a metric; undefined where the table lacks it. */
export function metricDefinition(name: string): MetricDefinition | undefined {
  return Object.hasOwn(METRICS, name) ? METRICS[name as MetricName] : undefined;
}

/** A metric's name for Prometheus: `tidegate_reconcile_errors_total` for `ReconcileErrors`. */
export function prometheusName(name: string): string {
  const snake = `tidegate_${snakeCase(name)}`;
  const counts = metricDefinition(name)?.kind === "counter";
  return counts && !snake.endsWith("_total") ? `${snake}_total` : snake;
}

/** `reconcile_id` for `reconcileId` and `ReconcileId`. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/(?<=[a-z0-9])([A-Z])/g, "_$1")
    .replaceAll(/[^A-Za-z0-9_]/g, "_")
    .toLowerCase();
}
