import type { Job } from "tidegate";
import { type Jobs, jobNameFor, scheduledAtMs, tooMany } from "./jobs.ts";
import type { CronJob } from "./resource.ts";
import type { Schedule } from "./schedule.ts";

/** What is to be done about a cron job now. */
export interface Plan {
  /** Jobs that go: more ended ones than are kept, and those that a new one replaces. */
  readonly remove: readonly Job[];
  /** The start that is due, in milliseconds since 1970. */
  readonly start?: number;
  /** Why the start that was due is not made. */
  readonly skipped?: "TooLate" | "AlreadyActive";
  /** When there is something to do again; undefined where only a change brings that. */
  readonly nextMs?: number | undefined;
  readonly status: CronJob["status"] & object;
}

/** Decides from the schedule, the jobs that are there, and the time. */
export function planOf(cronJob: CronJob, jobs: Jobs, schedule: Schedule, nowMs: number): Plan {
  const { suspend, successfulJobsHistoryLimit, failedJobsHistoryLimit } = cronJob.spec;
  const due = suspend ? {} : dueStart(cronJob, jobs, schedule, nowMs);
  return {
    ...due,
    remove: [
      ...tooMany(jobs.succeeded, successfulJobsHistoryLimit),
      ...tooMany(jobs.failed, failedJobsHistoryLimit),
      ...(isReplaced(cronJob, due) ? jobs.active : []),
    ],
    nextMs: suspend ? undefined : schedule.next(nowMs),
    status: statusOf(cronJob, jobs, due),
  };
}

type Due = Pick<Plan, "start" | "skipped">;

function dueStart(cronJob: CronJob, jobs: Jobs, schedule: Schedule, nowMs: number): Due {
  const { startingDeadlineSeconds = Number.POSITIVE_INFINITY, concurrencyPolicy } = cronJob.spec;
  const start = schedule.missed(lastStartMs(cronJob, jobs), nowMs);
  if (start === undefined) return {};
  if (start + startingDeadlineSeconds * 1000 < nowMs) return { skipped: "TooLate" };
  const waits = concurrencyPolicy === "Forbid" && jobs.active.length > 0;
  return waits ? { skipped: "AlreadyActive" } : { start };
}

/**
 * When a job was last due, or the cron job was made. The status remembers what jobs that are no
 * longer kept cannot tell.
 */
function lastStartMs({ metadata, status }: CronJob, jobs: Jobs): number {
  const told = [status?.lastScheduleTime, metadata.creationTimestamp];
  const times = told.map((time) => Date.parse(time ?? "")).filter((ms) => !Number.isNaN(ms));
  const starts = [...jobs.active, ...jobs.succeeded, ...jobs.failed].map(scheduledAtMs);
  return Math.max(...times, ...starts);
}

function isReplaced({ spec }: CronJob, { start }: Due): boolean {
  return start !== undefined && spec.concurrencyPolicy === "Replace";
}

function statusOf(cronJob: CronJob, jobs: Jobs, due: Due): Plan["status"] {
  const running = isReplaced(cronJob, due) ? [] : jobs.active.map(({ metadata }) => metadata.name);
  const started = due.start === undefined ? [] : [jobNameFor(cronJob, due.start)];
  const { lastScheduleTime, lastSuccessfulTime } = cronJob.status ?? {};
  return {
    active: [...running, ...started],
    lastScheduleTime:
      due.start === undefined ? lastScheduleTime : new Date(due.start).toISOString(),
    lastSuccessfulTime: jobs.succeeded.at(-1)?.status?.completionTime ?? lastSuccessfulTime,
  };
}
