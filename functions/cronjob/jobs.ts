import type { Job, Manifest } from "tidegate";
import type { CronJob } from "./resource.ts";

/** When a job was due to start, as a time in RFC 3339. */
const SCHEDULED_AT = "batch.example.com/scheduled-at";

/** The label by which a cron job finds its jobs. */
export const CRON_JOB = "batch.example.com/cronjob";

/** The jobs of a cron job by how they stand. */
export interface Jobs {
  readonly active: readonly Job[];
  readonly succeeded: readonly Job[];
  readonly failed: readonly Job[];
}

/** Sorts jobs by how they stand, each group from the oldest to the newest. */
export function sortJobs(jobs: readonly Job[]): Jobs {
  const inOrder = jobs.toSorted((a, b) => scheduledAtMs(a) - scheduledAtMs(b));
  const ended = (type: string) => inOrder.filter((job) => isTrue(job, type));
  return {
    active: inOrder.filter((job) => !isTrue(job, "Complete") && !isTrue(job, "Failed")),
    succeeded: ended("Complete"),
    failed: ended("Failed"),
  };
}

function isTrue({ status }: Job, type: string): boolean {
  return status?.conditions?.some((each) => each.type === type && each.status === "True") ?? false;
}

/** When a job was due, in milliseconds since 1970. */
export function scheduledAtMs({ metadata }: Job): number {
  return Date.parse(metadata.annotations?.[SCHEDULED_AT] ?? metadata.creationTimestamp ?? "");
}

/** Ended jobs beyond what is kept of them, the oldest first. */
export function tooMany(ended: readonly Job[], kept: number): readonly Job[] {
  return ended.slice(0, Math.max(0, ended.length - kept));
}

/** The name says when it is due, so that no start makes two jobs. */
export function jobNameFor(cronJob: CronJob, startMs: number): string {
  return `${cronJob.metadata.name}-${startMs / 1000}`;
}

/** The job of one start. */
export function jobFor(cronJob: CronJob, startMs: number): Manifest<Job> {
  const { metadata, spec } = cronJob.spec.jobTemplate;
  return {
    metadata: {
      name: jobNameFor(cronJob, startMs),
      labels: { ...metadata?.labels, [CRON_JOB]: cronJob.metadata.name },
      annotations: { ...metadata?.annotations, [SCHEDULED_AT]: new Date(startMs).toISOString() },
    },
    spec,
  };
}
