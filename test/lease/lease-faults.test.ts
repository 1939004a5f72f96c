import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { LeaseFault } from "../../shared/testing/memory-lease-store.ts";
import { freezable, Platform } from "./platform.ts";

const FAULTY_MS = 90_000;
const HEALED_MS = 60_000;

const fault = fc.record({
  happens: fc.boolean(),
  answer: fc.constantFrom("truth", "error", "silence", "repeated"),
  delayMs: fc.constantFrom(0, 100, 3_000, 12_000, 40_000),
  answerDelayMs: fc.constantFrom(0, 100, 4_900),
}) as fc.Arbitrary<LeaseFault>;

const period = <T>(what: fc.Arbitrary<T>) =>
  fc.record({
    fromMs: fc.integer({ min: 0, max: FAULTY_MS }),
    lengthMs: fc.integer({ min: 100, max: 30_000 }),
    what,
  });

const machine = fc.record({
  // Between the slowest and the fastest: 1.35.
  rate: fc.double({ min: 0.86, max: 1.16, noNaN: true }),
  offsetMs: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  jitter: fc.double({ min: 0, max: 1, noNaN: true }),
  faults: fc.array(period(fault), { maxLength: 5 }),
  frozen: fc.array(period(fc.constant(true)), { maxLength: 2 }),
  restartAtMs: fc.option(fc.integer({ min: 0, max: FAULTY_MS }), { nil: undefined }),
});

type Machine = typeof machine extends fc.Arbitrary<infer M> ? M : never;
type Period = Machine["faults"][number] | Machine["frozen"][number];

const during = (nowMs: number) => (period: Period) =>
  nowMs >= period.fromMs && nowMs < period.fromMs + period.lengthMs && nowMs < FAULTY_MS;

function boot(platform: Platform, machines: readonly Machine[]) {
  return machines.map((plan, index) => {
    const clock = freezable(platform.clock.machine(plan));
    const store = platform.connection(
      () => plan.faults.find(during(platform.clock.monotonicMs()))?.what,
    );
    let starts = 0;
    const lead = async (signal: AbortSignal) => {
      while (!signal.aborted) {
        await clock.sleep(500, signal);
        platform.check();
      }
    };
    const start = () =>
      platform.start(`m${index}-${++starts}`, { clock, store, lead, random: () => plan.jitter });
    return { plan, clock, start, frozen: false, replica: start() };
  });
}

async function run(machines: readonly Machine[]): Promise<Platform> {
  const platform = new Platform();
  const booted = boot(platform, machines);
  for (let atMs = 0; atMs < FAULTY_MS + HEALED_MS; atMs += 1_000) {
    for (const each of booted) {
      const { plan, clock } = each;
      const freeze = plan.frozen.some(during(atMs));
      if (freeze && !each.frozen) clock.freeze();
      if (!freeze && each.frozen) clock.thaw();
      each.frozen = freeze;
      if (
        plan.restartAtMs !== undefined &&
        atMs >= plan.restartAtMs &&
        each.replica.name.endsWith("-1")
      ) {
        each.replica.stop();
        each.replica = each.start();
      }
    }
    await platform.clock.advance(1_000);
  }
  for (const { replica } of booted) replica.stop();
  return platform;
}

test("whatever fails, never two lead at once, and once the faults end one leads", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(machine, { minLength: 2, maxLength: 3 }), async (machines) => {
      const platform = await run(machines);
      expect(platform.overlaps).toEqual([]);
      const stopsAt = platform.history.filter((line) => line.endsWith("stops")).at(-1);
      // The leader at the end was stopped by the end of the test.
      expect(stopsAt).toMatch(new RegExp(`^${(FAULTY_MS + HEALED_MS) / 1_000} `));
    }),
    { numRuns: Number(process.env.LEASE_RUNS ?? 40) },
  );
}, 60_000);
