import {
  type Context,
  Job,
  type Reconciler,
  type Result,
  readyCondition,
  TerminalError,
} from "tidegate";
import type { cronJobController } from "./controller.ts";
import { CRON_JOB, jobFor, sortJobs } from "./jobs.ts";
import { type Plan, planOf } from "./plan.ts";
import type { CronJob } from "./resource.ts";
import { readSchedule, type Schedule } from "./schedule.ts";

/** A timer's limit: the next start may be years away. */
const YEAR_SECONDS = 365 * 86_400;

/** Starts jobs on a schedule. `nowMs` tells the time, in milliseconds since 1970. */
export const cronJobReconciler = (nowMs: () => number): Reconciler<typeof cronJobController> => ({
  async reconcile(cronJob, { apply, client, recordEvent }): Promise<Result<CronJob>> {
    const schedule = scheduleOf(cronJob);
    const labels = { [CRON_JOB]: cronJob.metadata.name };
    const jobs = sortJobs(await client.list(Job, { labels }));
    const now = nowMs();
    const plan = planOf(cronJob, jobs, schedule, now);
    for (const { metadata } of plan.remove) await client.delete(Job, metadata.name);
    if (plan.start !== undefined) await apply(Job, jobFor(cronJob, plan.start));
    if (plan.skipped) await recordEvent(skippedEvent(plan.skipped));
    return {
      status: { ...plan.status, conditions: [readyCondition(true), suspended(cronJob)] },
      requeueAfterSeconds: secondsUntil(plan.nextMs, now),
    };
  },
});

function scheduleOf({ spec }: CronJob): Schedule {
  try {
    return readSchedule(spec.schedule, spec.timeZone);
  } catch (error) {
    throw new TerminalError((error as Error).message);
  }
}

function skippedEvent(reason: NonNullable<Plan["skipped"]>): Parameters<Context["recordEvent"]>[0] {
  const message =
    reason === "TooLate"
      ? "a start was missed by more than spec.startingDeadlineSeconds"
      : "a start waits for the job that still runs, as spec.concurrencyPolicy asks";
  return { type: "Warning", reason, message };
}

function suspended({ spec }: CronJob) {
  const status = spec.suspend ? ("True" as const) : ("False" as const);
  return { type: "Suspended", status, reason: spec.suspend ? "Asked" : "NotAsked" };
}

function secondsUntil(ms: number | undefined, nowMs: number): number | undefined {
  return ms === undefined ? undefined : Math.min((ms - nowMs) / 1000, YEAR_SECONDS);
}
