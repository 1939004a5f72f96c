// A leader that ends, by a crash or in order: the standby forwards what changed meanwhile, and no more.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { systemClock } from "../../shared/clock.ts";
import { LEASE_TIMES } from "../../shared/lease/lease-times.ts";
import { CrashObjects, differences } from "./crash-objects.ts";
import type { CrashProcess } from "./crash-process.ts";
import { overlaps } from "./crash-runs.ts";
import { sentIn } from "./crash-sent.ts";
import { type CrashStage, eventually, leaderOf, startCrashStage } from "./crash-stage.ts";

const BUILD_LIMIT_MS = 60 * 60_000;
const TEST_LIMIT_MS = 180_000;
const SETTLE_MS = 60_000;
/** Longer than a change takes to be forwarded, run, and its echo to be judged. */
const QUIET_MS = 3_000;
const OBJECTS = 20;

let stage: CrashStage;
let objects: CrashObjects;

beforeAll(async () => {
  stage = await startCrashStage("plain");
  objects = new CrashObjects(stage.kube, "plain");
  for (let index = 0; index < OBJECTS; index += 1) await objects.apply(`kept-${index}`, "1");
}, BUILD_LIMIT_MS);

afterAll(async () => {
  await stage?.stop();
}, TEST_LIMIT_MS);

test.each([
  { signal: "SIGKILL", round: "killed", limitMs: LEASE_TIMES.durationMs + 3_000 },
  { signal: "SIGTERM", round: "stopped", limitMs: 3_000 },
] as const)(
  "after $signal the standby leads within $limitMs ms and forwards exactly the gap",
  async ({ signal, round, limitMs }) => {
    for (const name of ["childless", "also-childless"]) await objects.apply(`${round}-${name}`);
    await settled(`${round}-childless`, `${round}-also-childless`);
    const leader = leaderOf(stage);
    const standby = stage.watchers.find((each) => each !== leader);
    if (!leader || !standby) throw new Error("expected one of the watchers to lead");
    const sentBefore = stage.sqs.lines.length;
    const toldBefore = standby.lines.length;

    const endedMs = performance.now();
    const exited = leader.end(signal);
    if (signal === "SIGTERM") await exited; // What it still forwards in order is not the gap.
    const gap = await changeSome(round);
    const led = await standby.line(/"message":"leading"/, toldBefore);
    await settled();

    const tookMs = Math.round(led.atMs - endedMs);
    const sent = stage.sqs.lines.slice(sentBefore).flatMap(({ text }) => sentIn(text) ?? []);
    process.stderr.write(`${signal}: led after ${tookMs} ms, sent ${sent.length} requests\n`);
    expect(sent.map(({ name }) => name).sort()).toEqual([...gap].sort());
    expect(tookMs).toBeLessThan(limitMs);
    expect(overlaps(await stage.runs.read())).toEqual([]);
    await bringBack(leader);
  },
  TEST_LIMIT_MS,
);

/** Makes one change of each sort; resolves to the names of the objects that must run. */
async function changeSome(round: string): Promise<readonly string[]> {
  await Promise.all([
    objects.apply("kept-0", round),
    objects.apply("kept-1", round),
    objects.apply(`${round}-new`, "1"),
    objects.delete("kept-2.copy"),
    objects.delete(`${round}-childless`),
    objects.delete(`${round}-also-childless`),
  ]);
  const names = ["new", "childless", "also-childless"].map((name) => `${round}-${name}`);
  return ["kept-0", "kept-1", "kept-2", ...names];
}

/** Resolves once those have run, every child is as its owner wants it, and nothing was sent for a while. */
async function settled(...names: readonly string[]): Promise<void> {
  await eventually("all to be as desired and quiet", SETTLE_MS, async () => {
    const ran = new Set((await stage.runs.read()).map(({ key }) => key));
    const missing = names.find((name) => !ran.has(`plain/${name}`));
    if (missing !== undefined) return `no run of ${missing}`;
    const all = await objects.list();
    const wanted = new Map([...all].filter(([, value]) => value !== ""));
    const [difference] = differences("child", await objects.children(), wanted);
    if (difference !== undefined) return difference;
    const last = stage.sqs.lines.findLast(({ text }) => sentIn(text));
    return performance.now() - (last?.atMs ?? 0) > QUIET_MS || "requests";
  });
}

/** Starts it again, as a standby that has seen the lease before the next test ends the leader. */
async function bringBack(watcher: CrashProcess): Promise<void> {
  const from = watcher.lines.length;
  watcher.start();
  await watcher.line(/"source synced"/, from);
  await systemClock.sleep(2 * LEASE_TIMES.retryPeriodMs);
}
