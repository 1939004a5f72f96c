import { afterEach, beforeEach, jest, expect as jestExpect, test } from "@jest/globals";
import { Job } from "tidegate";
import { type Environment, startEnvironment, withMatchers } from "tidegate/testing";
import { cronJobController } from "../../functions/cronjob/controller.ts";
import { cronJobReconciler } from "../../functions/cronjob/reconciler.ts";
import { CronJob, crd } from "../../functions/cronjob/resource.ts";

// The first test loads everything.
jest.setTimeout(60_000);

const MINUTE_MS = 60_000;
const expect = withMatchers(jestExpect);
const jobTemplate = {
  metadata: { labels: { app: "report" } },
  spec: {
    suspend: true, // The cluster runs no pods: a job ends when the test says so.
    template: {
      spec: { restartPolicy: "Never" as const, containers: [{ name: "a", image: "busybox:1.37" }] },
    },
  },
};
let env: Environment;

beforeEach(async () => {
  env = await startEnvironment({
    controllers: [[cronJobController, cronJobReconciler(() => env.clock.nowMs())]],
    crds: [crd()],
  });
});

afterEach(() => env.stop());

async function applyCronJob(spec: Partial<CronJob["spec"]> = {}): Promise<void> {
  await env.apply(CronJob, {
    metadata: { name: "report" },
    spec: { schedule: "* * * * *", jobTemplate, ...spec },
  });
  await env.settled();
}

const cronJob = async () => (await env.get(CronJob, "report")) as CronJob;
const jobs = () => env.list(Job);
const jobNames = async () => (await jobs()).map(({ metadata }) => metadata.name);

async function pass(ms: number): Promise<void> {
  await env.advance(ms);
  await env.settled();
}

/** What the Job controller of a cluster does. */
async function end(name: string, type: "Complete" | "Failed"): Promise<void> {
  const now = new Date(env.clock.nowMs()).toISOString();
  const condition = { type, status: "True", lastTransitionTime: now };
  const status = {
    startTime: now,
    conditions: [condition],
    ...(type === "Complete" && { completionTime: now, succeeded: 1 }),
  };
  await env.patch(Job, name, { status }, { subresource: "status" });
  await env.settled();
}

test("each minute starts a job, which the cron job owns and names by its time", async () => {
  await applyCronJob();
  expect(await jobNames()).toEqual([]);
  await pass(MINUTE_MS);
  const [job] = await jobs();
  const startMs = Math.floor(env.clock.nowMs() / MINUTE_MS) * MINUTE_MS;
  expect(job?.metadata.name).toBe(`report-${startMs / 1000}`);
  expect(job?.metadata.labels).toMatchObject({ app: "report" });
  expect(job).toBeOwnedBy(await cronJob());
  const { status } = await cronJob();
  expect(status?.active).toEqual([job?.metadata.name]);
  expect(Date.parse(status?.lastScheduleTime ?? "")).toBe(startMs);
  await pass(2 * MINUTE_MS);
  expect(await jobNames()).toHaveLength(3);
});

test("a job that ended is no longer active, and what is too old goes", async () => {
  await applyCronJob({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 });
  for (const type of ["Complete", "Complete", "Failed"] as const) {
    await pass(MINUTE_MS);
    const running = (await cronJob()).status?.active ?? [];
    expect(running).toHaveLength(1);
    await end(running[0] ?? "", type);
  }
  expect((await cronJob()).status?.active).toEqual([]);
  const [kept, ...more] = await jobs();
  expect(more).toEqual([]);
  expect(kept?.status?.succeeded).toBe(1);
  const succeededAt = (await cronJob()).status?.lastSuccessfulTime ?? "";
  expect(Date.parse(succeededAt)).toBe(Date.parse(kept?.status?.completionTime ?? ""));
});

test("where no ended job is kept, no start is made twice", async () => {
  await applyCronJob({ successfulJobsHistoryLimit: 0 });
  await pass(MINUTE_MS);
  const [name = ""] = await jobNames();
  await end(name, "Complete");
  await pass(1_000);
  expect(await jobNames()).toEqual([]);
});

test("Forbid waits for the job that runs, says so, and starts the last missed one then", async () => {
  await applyCronJob({ concurrencyPolicy: "Forbid" });
  await pass(MINUTE_MS);
  const [first = ""] = await jobNames();
  await pass(3 * MINUTE_MS);
  expect(await jobNames()).toEqual([first]);
  expect(await env.events(await cronJob())).toMatchObject([{ reason: "AlreadyActive" }]);
  await end(first, "Complete");
  expect(await jobNames()).toHaveLength(2);
});

test("Replace ends the job that runs", async () => {
  await applyCronJob({ concurrencyPolicy: "Replace" });
  await pass(MINUTE_MS);
  const [first] = await jobNames();
  await pass(MINUTE_MS);
  const [second, ...more] = await jobNames();
  expect(more).toEqual([]);
  expect(second).not.toBe(first);
  expect((await cronJob()).status?.active).toEqual([second]);
});

test("a cron job that is suspended starts nothing; afterwards one job makes up for all", async () => {
  await applyCronJob({ suspend: true });
  await pass(5 * MINUTE_MS);
  await applyCronJob({ suspend: true, failedJobsHistoryLimit: 2 }); // A run while a start is due.
  expect(await jobNames()).toEqual([]);
  expect(await cronJob()).toHaveCondition("Suspended", "True");
  await applyCronJob({ suspend: false });
  expect(await jobNames()).toHaveLength(1);
  expect(await cronJob()).toHaveCondition("Suspended", "False");
});

test("a start that is later than its deadline is left out, and told", async () => {
  await applyCronJob({ suspend: true });
  const sinceMinute = env.clock.nowMs() % MINUTE_MS;
  await pass(2 * MINUTE_MS - sinceMinute + 30_000);
  await applyCronJob({ suspend: false, startingDeadlineSeconds: 10 });
  expect(await jobNames()).toEqual([]);
  expect(await env.events(await cronJob())).toMatchObject([{ reason: "TooLate" }]);
  await pass(MINUTE_MS);
  expect(await jobNames()).toHaveLength(1);
});

test.each([
  [{ schedule: "61 * * * *" }, /spec\.schedule/],
  [{ schedule: "* * * * * *" }, /exactly 5 parts/],
  [{ timeZone: "Mars/Phobos" }, /^spec\.timeZone: .*Mars\/Phobos/],
])("%j is told in the status and not tried again; a right one starts jobs", async (wrong, text) => {
  await applyCronJob(wrong);
  expect(await cronJob()).toHaveCondition("Ready", "False");
  expect((await cronJob()).status?.conditions?.[0]?.message).toMatch(text);
  const before = env.runs(cronJobController, "report").length;
  await pass(10 * MINUTE_MS);
  expect(env.runs(cronJobController, "report")).toHaveLength(before);
  await applyCronJob({ schedule: "* * * * *", timeZone: "UTC" });
  await pass(MINUTE_MS);
  expect(await jobNames()).not.toEqual([]);
});

test("a job that the cluster runs to its end is counted as a success", async () => {
  const { spec, metadata } = jobTemplate;
  await applyCronJob({ jobTemplate: { metadata, spec: { ...spec, suspend: false } } });
  await pass(MINUTE_MS);
  const { status } = await cronJob();
  expect(status?.active).toEqual([]);
  expect(status?.lastSuccessfulTime).toBeDefined();
});

test("a name that leaves no room for the time is refused", async () => {
  const metadata = { name: "a".repeat(53) };
  const tried = env.apply(CronJob, { metadata, spec: { schedule: "* * * * *", jobTemplate } });
  await expect(tried).rejects.toThrow(/at most 52 characters/);
});
