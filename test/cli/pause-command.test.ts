import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { followPauses } from "../../local/dev-pauses.ts";
import { systemClock } from "../../shared/clock.ts";
import { OperateStage } from "./operate-stage.ts";
import { runCli } from "./run-cli.ts";

let stage: OperateStage;
const stopping = new AbortController();
let following: Promise<void>;
/** The states that the controllers of the stage had. */
const states: string[] = [];

beforeAll(async () => {
  stage = await OperateStage.start();
  // As a dev process does: a run ends while it is pausing.
  const follow = (paused: ReadonlySet<string>) => {
    const before = states.at(-1);
    const stops = before === "pausing" || before === "paused" ? "paused" : "pausing";
    const state = paused.has("website") ? stops : "running";
    if (state !== before) states.push(state);
    stage.place.update({ website: state as never });
  };
  following = followPauses({ dataDir: stage.dataDir, clock: systemClock }, follow, stopping.signal);
});
afterAll(async () => {
  stopping.abort();
  await following;
  await stage.close();
});

test("a pause is told once the last run ended, and shown, and a resume ends it", async () => {
  const paused = await stage.run(["pause", "website"]);
  expect(paused.out).toMatch(
    /^website is paused: .*14 days.*reconcile --all\ngoes on with: tidegate resume website\n$/,
  );
  const { out } = await stage.run(["status", "website", "hello"]);
  expect(out).toMatch(/controller +website \(paused\)/);
  expect(await stage.json("resume", "website")).toEqual({
    controller: "website",
    state: "running",
  });
  expect(states.slice(-3)).toEqual(["pausing", "paused", "running"]);
});

test("an interrupted one says that it was asked for", async () => {
  const { code, err } = await stage.run(["pause", "website"], { stopping: AbortSignal.abort() });
  expect(code).toBe(130);
  expect(err).toMatch(/cannot wait for website to be paused: it was asked for, and is \w+ now/);
  await stage.run(["resume", "website"]);
});

test("refuses a controller that does not run", async () => {
  const { code, err } = await stage.run(["pause", "nope"]);
  expect(code).toBe(1);
  expect(err).toMatch(/cannot pause nope: expected its function on this machine, got none/);
});

test.each(["status", "explain"])("%s says where nothing runs", async (command) => {
  const { code, err } = await runCli([command, "website", "hello", "--data", "no/such"]);
  expect(code).toBe(1);
  expect(err).toMatch(
    /^tidegate: cannot find a running tidegate dev in no\/such: .*; start it, .*--table and --cluster for AWS\n$/,
  );
});
