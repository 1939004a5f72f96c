import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { ServerClock } from "../../shared/queue/server-clock.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";

/** A server whose clock is right, and a machine whose clock is `offsetMs` ahead of it. */
function setting(offsetMs: number) {
  const world = new VirtualClock();
  const serverClock = new ServerClock(world.machine({ offsetMs }));
  const answer = async ({ goMs = 20, comeMs = 20, oddMs = 0 } = {}) => {
    const sentMs = world.monotonicMs();
    await world.advance(goMs);
    const dateMs = Math.floor((world.nowMs() + oddMs) / 1_000) * 1_000;
    await world.advance(comeMs);
    serverClock.observe({ dateMs, sentMs, receivedMs: world.monotonicMs() });
    await world.advance(137);
  };
  const errorMs = () => serverClock.nowMs() - world.nowMs();
  return { world, serverClock, answer, errorMs };
}

test("is the machine's clock until two answers agree", async () => {
  const { serverClock, answer, errorMs } = setting(300_000);
  expect(errorMs()).toBe(300_000);
  await answer();
  expect(errorMs()).toBe(300_000);
  await answer();
  expect(Math.abs(errorMs())).toBeLessThanOrEqual(520);
  expect(Math.abs(serverClock.skewMs() - 300_000)).toBeLessThanOrEqual(520);
});

test("is right to a second whatever the machine's clock and the round trips are", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -86_400_000, max: 86_400_000 }),
      fc.array(fc.record({ goMs: fc.nat(400), comeMs: fc.nat(400) }), {
        minLength: 2,
        maxLength: 20,
      }),
      async (offsetMs, trips) => {
        const { answer, errorMs } = setting(offsetMs);
        for (const trip of trips) await answer(trip);
        expect(Math.abs(errorMs())).toBeLessThanOrEqual(1_000);
      },
    ),
    { numRuns: 40 },
  );
});

test("one odd header moves nothing, at the start and later", async () => {
  const early = setting(0);
  await early.answer({ oddMs: 3_600_000 });
  expect(early.errorMs()).toBe(0);
  await early.answer();
  await early.answer();
  expect(Math.abs(early.errorMs())).toBeLessThanOrEqual(520);

  const late = setting(60_000);
  for (let answers = 0; answers < 6; answers += 1) await late.answer();
  const beforeMs = late.errorMs();
  await late.answer({ oddMs: -3_600_000 });
  expect(late.errorMs()).toBe(beforeMs);
});

test("follows only more than half of the answers (T2)", async () => {
  const { answer, errorMs } = setting(60_000);
  for (const hours of [1, 5, 9]) await answer({ oddMs: hours * 3_600_000 });
  for (let answers = 0; answers < 3; answers += 1) {
    await answer();
    expect(errorMs()).toBe(60_000);
  }
  await answer();
  expect(Math.abs(errorMs())).toBeLessThanOrEqual(520);
});

test("a slow answer does not spoil what quick ones told", async () => {
  const { answer, errorMs } = setting(0);
  for (let answers = 0; answers < 4; answers += 1) await answer();
  await answer({ goMs: 10, comeMs: 9_000 });
  expect(Math.abs(errorMs())).toBeLessThanOrEqual(520);
});

test("does not follow a step of the machine's wall clock", async () => {
  const { world, serverClock, answer } = setting(0);
  await answer();
  await answer();
  const beforeMs = serverClock.nowMs();
  world.step(3_600_000);
  expect(serverClock.nowMs()).toBe(beforeMs);
});
