// Everything in processes of its own, and each of them killed and stopped at random while objects
// are created, changed and deleted. SEED=7 makes the same blows at the same moments; what they hit
// there depends on the machine. SECONDS changes how long it goes on.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { systemClock } from "../../shared/clock.ts";
import { seededNumbers } from "../support/seeded-numbers.ts";
import { strike } from "./crash-blows.ts";
import { loadOne } from "./crash-load.ts";
import { CrashObjects, differences, outsideIn } from "./crash-objects.ts";
import { type Blow, blowsAt, VICTIMS } from "./crash-plan.ts";
import { overlaps } from "./crash-runs.ts";
import { AGAIN_MARK } from "./crash-sent.ts";
import { type CrashStage, eventually, startCrashStage } from "./crash-stage.ts";

const BUILD_LIMIT_MS = 60 * 60_000;
const SEED = Number(process.env.SEED ?? Date.now() % 100_000);
const DURATION_MS = Number(process.env.SECONDS ?? 120) * 1_000;
const OBJECTS = 40;
/** By blows alone two functions seldom have the messages of one object: a lock that held nobody off went unnoticed. */
const REPEATED = 0.3;
/**
 * A killed batch is invisible for six timeouts of 10 s, and backoffs may have grown; garbage is
 * collected by kube-controller-manager, which waits longer after each try that failed.
 */
const SETTLE_MS = 300_000;

let stage: CrashStage;
let objects: CrashObjects;

beforeAll(async () => {
  stage = await startCrashStage("copy", { repeated: REPEATED });
  objects = new CrashObjects(stage.kube, "copy");
}, BUILD_LIMIT_MS);

afterAll(async () => {
  await stage?.stop();
}, 60_000);

test("the check finds two runs at once, and an epoch that comes again", () => {
  const run = { key: "copy/a", outcome: "success" };
  const first = { ...run, epoch: 1, startMs: 0, endMs: 10 };
  const later = { ...run, epoch: 2, startMs: 10, endMs: 20 };
  expect(overlaps([first, later, { ...later, key: "copy/b", startMs: 5 }])).toEqual([]);
  expect(overlaps([first, { ...later, startMs: 9 }])).toEqual([
    "copy/a: run 2 began 1 ms before 1 ended",
  ]);
  expect(overlaps([first, { ...later, epoch: 1 }])).toEqual(["copy/a: run 1 came after 1"]);
});

test(
  "whatever is killed or stopped: at the end every object is as desired, and no runs overlapped",
  async () => {
    say(`SEED=${SEED}`);
    const { blows, loaded } = await strikeUnderLoad();
    const struckMs = performance.now();
    const left = await leftInTheEnd();
    const settledMs = Math.round(performance.now() - struckMs);
    const runs = await stage.runs.read();
    const refused = await stage.runs.refused();
    report(blows);
    const outcomes = Map.groupBy(runs, ({ outcome }) => outcome);
    const counts = [...outcomes].map(([outcome, { length }]) => `${length} ${outcome}`);
    say(`load: ${JSON.stringify(loaded)}; settled after ${settledMs} ms`);
    say(`runs: ${runs.length} (${counts.join(", ")}); left: ${(await objects.list()).size}`);
    say(`starts that met the lock of another run: ${refused}`);
    expect({ left, overlaps: overlaps(runs) }).toEqual({ left: [], overlaps: [] });
    expect(runs.length).toBeGreaterThan(OBJECTS);
    // Else no run could have overlapped, lock or no lock.
    expect(refused).toBeGreaterThan(0);
  },
  DURATION_MS + SETTLE_MS + 60_000,
);

async function strikeUnderLoad() {
  const over = new AbortController();
  const { signal } = over;
  // A sequence of numbers for each: what one draws must not depend on how fast another is.
  const random = (index: number) => seededNumbers(1_000 * SEED + index);
  // The last change of each object comes at another moment, so that blows at any time may cost one.
  const loading = Array.from({ length: OBJECTS }, (_, index) => {
    const drawn = random(index);
    const enough = AbortSignal.timeout(Math.round(DURATION_MS * (0.3 + 0.7 * drawn())));
    return loadOne(objects, `object-${index}`, { random: drawn, signal: enough });
  });
  const striking = VICTIMS.map((victim, index) => {
    const drawn = random(OBJECTS + index);
    return strike(stage, blowsAt(victim, drawn, DURATION_MS), { random: drawn, signal });
  });
  await systemClock.sleep(DURATION_MS);
  over.abort();
  const blows = (await Promise.all(striking)).flat();
  const all = await Promise.all(loading);
  const sum = (name: keyof (typeof all)[number]) =>
    all.reduce((count, each) => count + each[name], 0);
  const loaded = {
    creations: sum("creations"),
    changes: sum("changes"),
    deletions: sum("deletions"),
    childDeletions: sum("childDeletions"),
  };
  return { blows, loaded };
}

/** What is still not as desired when the time to settle is over. */
async function leftInTheEnd(): Promise<readonly string[]> {
  let left: readonly string[] = [];
  const settled = eventually("all objects to be as desired", SETTLE_MS, async () => {
    left = await faults().catch((error: unknown) => [String(error)]);
    return left[0] ?? true;
  });
  await settled.catch(() => {}); // What is left tells all.
  return left;
}

/** What is not as desired: each object has a child and a thing outside of its value, and nothing else has. */
async function faults(): Promise<readonly string[]> {
  const [wanted, children, outside] = await Promise.all([
    objects.list(),
    objects.children(),
    outsideIn(stage.outside),
  ]);
  return [...differences("child", children, wanted), ...differences("outside", outside, wanted)];
}

function report(blows: readonly Blow[]): void {
  for (const victim of VICTIMS) {
    const at = blows.filter((blow) => blow.victim === victim);
    const frozen = at.filter(({ act }) => act === "freeze").map(({ forMs }) => forMs);
    const longest = Math.max(0, ...frozen);
    say(
      `${victim}: killed ${at.length - frozen.length}, stopped ${frozen.length} (at most ${longest} ms)`,
    );
  }
  const { watchers, runner, sqs, table } = stage;
  const again = sqs.lines.filter(({ text }) => text.startsWith(AGAIN_MARK));
  say(`messages handed out twice: ${again.length}`);
  for (const { name, ownEnds } of [...watchers, runner, sqs, table]) {
    if (ownEnds > 0) say(`${name} ended by itself ${ownEnds} times`);
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
