import { defineKind, type Job, type Resource } from "tidegate";
import {
  ageColumn,
  column,
  conditions,
  defineCrd,
  preserveUnknown,
  readyColumn,
} from "tidegate/crd";
import * as z from "zod";

type JobSpec = NonNullable<Job["spec"]>;

const jobTemplate = () =>
  z.object({
    metadata: z
      .object({
        labels: z.record(z.string(), z.string()).optional(),
        annotations: z.record(z.string(), z.string()).optional(),
      })
      .optional(),
    // Whatever a Job takes: the API server checks it when the first one is made.
    spec: preserveUnknown<JobSpec>(),
  });

// Functions, so that a bundler drops them, and zod, from the Lambda function.
export const spec = () =>
  z.object({
    schedule: z
      .string()
      .min(1)
      .max(256)
      .describe("Minute, hour, day of the month, month, day of the week; see crontab(5)."),
    timeZone: z
      .string()
      .min(1)
      .max(64)
      .default("UTC")
      .describe("In which the schedule is read: a name of the time zone database."),
    startingDeadlineSeconds: z
      .int()
      .min(0)
      .optional()
      .describe("A start that is later than this is left out. Default: however late it is."),
    concurrencyPolicy: z
      .enum(["Allow", "Forbid", "Replace"])
      .default("Allow")
      .describe("What happens at a start while the job before still runs."),
    suspend: z.boolean().default(false).describe("Starts no job. Those that run go on."),
    jobTemplate: jobTemplate(),
    successfulJobsHistoryLimit: z.int().min(0).default(3),
    failedJobsHistoryLimit: z.int().min(0).default(1),
  });
export const status = () =>
  z.object({
    active: z.array(z.string()).describe("Names of the jobs that run.").optional(),
    lastScheduleTime: z.iso.datetime().optional(),
    lastSuccessfulTime: z.iso.datetime().optional(),
    conditions: conditions().optional(),
  });

export interface CronJob
  extends Resource<"batch.example.com/v1", "CronJob", typeof spec, typeof status> {}
export const CronJob = defineKind<CronJob>({
  apiVersion: "batch.example.com/v1",
  kind: "CronJob",
  plural: "cronjobs",
  scope: "Namespaced",
});
export const crd = () =>
  defineCrd(CronJob, {
    spec,
    status,
    // Leaves room for the time in the names of jobs.
    rules: [
      {
        rule: "self.metadata.name.size() <= 52",
        message: "metadata.name has at most 52 characters",
      },
    ],
    printerColumns: [
      column({ name: "Schedule", jsonPath: ".spec.schedule" }),
      column({ name: "Suspend", type: "boolean", jsonPath: ".spec.suspend" }),
      column({ name: "Last Schedule", type: "date", jsonPath: ".status.lastScheduleTime" }),
      readyColumn,
      ageColumn,
    ],
  });
