import { expect, test } from "@jest/globals";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { freezable, Platform } from "./platform.ts";

const CUT = { happens: false, answer: "error" } as const;
const HOUR_MS = 3_600_000;

test.each([10, -10])(
  "a standby whose wall clock is %i min off takes over as any other",
  async (minutes) => {
    const platform = new Platform();
    let cut = false;
    platform.start("a", { store: platform.connection(() => (cut ? CUT : undefined)) });
    await platform.clock.advance(0);
    platform.start("b", { clock: platform.clock.machine({ offsetMs: minutes * 60_000 }) });
    await platform.clock.advance(HOUR_MS);
    expect(platform.history).toEqual(["0 a leads"]);
    cut = true;
    await platform.clock.advance(20_000);
    expect(platform.history).toEqual(["0 a leads", "3610 a stops", "3615 b leads"]);
  },
);

test("a wall clock that jumps back an hour, or a little ahead, has no effect", async () => {
  const platform = new Platform();
  platform.start("a");
  await platform.clock.advance(0);
  platform.start("b");
  await platform.clock.advance(11_000);
  platform.clock.step(-HOUR_MS);
  await platform.clock.advance(60_000);
  platform.clock.step(5_000);
  await platform.clock.advance(60_000);
  expect(platform.history).toEqual(["0 a leads"]);
});

test("a leader whose wall clock was set back stops at its deadline all the same", async () => {
  const platform = new Platform();
  let cut = false;
  platform.start("a", { store: platform.connection(() => (cut ? CUT : undefined)) });
  await platform.clock.advance(0);
  platform.start("b");
  await platform.clock.advance(10_000);
  platform.clock.step(-HOUR_MS);
  cut = true;
  await platform.clock.advance(20_000);
  expect(platform.history).toEqual(["0 a leads", "20 a stops", "25 b leads"]);
});

test("a rival's lease lasts as long as its item says, not as ours would", async () => {
  const platform = new Platform();
  const rival = { holder: "old", version: "v", durationMs: 60_000, term: 1, clusterUid: "uid-1" };
  await platform.store.write(rival, undefined);
  platform.start("b");
  await platform.clock.advance(59_999);
  expect(platform.history).toEqual([]);
  await platform.clock.advance(1);
  expect(platform.history).toEqual(["60 b leads"]);
});

test("who acquired the lease and slept before the answer came does not lead", async () => {
  const platform = new Platform();
  const slow = { happens: true, answer: "truth", delayMs: 2_000 } as const;
  const faults = [undefined, slow];
  platform.start("a", { store: platform.connection(() => faults.shift()) });
  await platform.clock.advance(1_000);
  platform.clock.step(HOUR_MS);
  await platform.clock.advance(2_000);
  expect(platform.history).toEqual([]);
  await platform.clock.advance(10_000);
  expect(platform.leading).toEqual(["a"]);
});

test("a wall clock that jumps far ahead is taken for sleep: the leader stops, reads, and leads on", async () => {
  const platform = new Platform();
  const a = platform.start("a");
  await platform.clock.advance(5_000);
  platform.clock.step(HOUR_MS);
  expect(a.lease.held).toBe(false);
  await platform.clock.advance(5_000);
  expect(platform.history).toEqual(["0 a leads", "6 a stops", "8 a leads"]);
});

/** A cut-off leader and a standby, each with a clock of its own rate. */
async function drifting(rates: { leader: number; standby: number }): Promise<Platform> {
  const platform = new Platform();
  let cut = false;
  platform.start("a", {
    clock: platform.clock.machine({ rate: rates.leader }),
    store: platform.connection(() => (cut ? CUT : undefined)),
  });
  await platform.clock.advance(0);
  platform.start("b", { clock: platform.clock.machine({ rate: rates.standby }), random: () => 0 });
  await platform.clock.advance(600_000);
  cut = true;
  await platform.clock.advance(60_000);
  return platform;
}

test.each([
  { leader: 1, standby: 1.4 },
  { leader: 0.8, standby: 1.12 },
  { leader: 1.4, standby: 1 },
])("never two lead while one clock runs up to 1.4 times as fast: %p", async (rates) => {
  const platform = await drifting(rates);
  expect(platform.overlaps).toEqual([]);
  expect(platform.leading).toEqual(["b"]);
});

test("the limit is 15 / 10: at 1.9 the checker does find two", async () => {
  const { overlaps } = await drifting({ leader: 1, standby: 1.9 });
  expect(overlaps).toEqual(["a+b"]);
});

test("a leader that was frozen for two durations finds at waking that it does not lead", async () => {
  const platform = new Platform();
  const clock = freezable(platform.clock);
  const acts: string[] = [];
  const a = platform.start("a", {
    clock,
    lead: async (signal) => {
      while (!signal.aborted) {
        await clock.sleep(100, signal);
        if (a.lease.held) acts.push(`a ${Math.floor(platform.clock.monotonicMs() / 1000)}`);
      }
    },
  });
  await platform.clock.advance(0);
  platform.start("b");
  await platform.clock.advance(5_050);
  clock.freeze();
  await platform.clock.advance(30_000);
  expect(platform.history).toEqual(["0 a leads", "19 b leads"]);
  expect(a.lease.held).toBe(false);
  acts.length = 0;
  clock.thaw();
  await platform.clock.advance(60_000);
  expect(acts).toEqual([]);
  expect(platform.history.slice(2)).toEqual(["35 a stops"]);
  expect([a.exits, platform.leading, platform.overlaps]).toEqual([0, ["b"], []]);
});

test("a machine that slept, its monotonic clock with it, finds at waking that it does not lead", async () => {
  const platform = new Platform();
  let asleepMs = 0;
  const clock = freezable(platform.clock);
  const monotonicMs = () => platform.clock.monotonicMs() - asleepMs;
  const a = platform.start("a", { clock: { ...clock, monotonicMs } });
  await platform.clock.advance(0);
  platform.start("b");
  await platform.clock.advance(5_000);
  clock.freeze();
  await platform.clock.advance(30_000);
  asleepMs = 30_000;
  expect([a.leads, a.lease.held]).toEqual([true, false]);
  clock.thaw();
  await platform.clock.advance(60_000);
  expect(platform.history).toEqual(["0 a leads", "19 b leads", "35 a stops"]);
  expect(platform.overlaps).toEqual([]);
});

test("a renewal that lands after the leader gave up only makes rivals wait longer", async () => {
  const platform = new Platform();
  const faults = [undefined, undefined];
  let late = false;
  const landsLate = { happens: true, answer: "truth", delayMs: 12_000 } as const;
  platform.start("a", {
    store: platform.connection(() => faults.shift() ?? (late ? landsLate : undefined)),
  });
  await platform.clock.advance(0);
  platform.start("b");
  await platform.clock.advance(5_000);
  late = true;
  await platform.clock.advance(120_000);
  expect(platform.overlaps).toEqual([]);
  late = false;
  await platform.clock.advance(60_000);
  expect(platform.leading).toHaveLength(1);
});

test("the clock of the tests moves a frozen process's time on", async () => {
  const clock = new VirtualClock(0);
  const frozen = freezable(clock);
  let woke = false;
  frozen.freeze();
  void frozen.sleep(10).then(() => {
    woke = true;
  });
  await clock.advance(20);
  expect([woke, frozen.monotonicMs()]).toEqual([false, 20]);
  frozen.thaw();
  await clock.advance(0);
  expect(woke).toBe(true);
});
