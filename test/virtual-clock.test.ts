import { expect, test } from "@jest/globals";
import { VirtualClock } from "../shared/testing/virtual-clock.ts";

test("wakes sleepers in the order of their moments, ties in the order in which they fell asleep", async () => {
  const clock = new VirtualClock(0);
  const woken: string[] = [];
  const nap = (name: string, ms: number) =>
    clock.sleep(ms).then(() => woken.push(`${name}@${clock.nowMs()}`));
  const all = [nap("late", 30), nap("early", 10), nap("tie", 30)];
  await clock.advance(29);
  expect(woken).toEqual(["early@10"]);
  await clock.advance(1);
  await Promise.all(all);
  expect(woken).toEqual(["early@10", "late@30", "tie@30"]);
});

test("wakes a sleeper whose signal is aborted", async () => {
  const clock = new VirtualClock(0);
  const stop = new AbortController();
  const asleep = clock.sleep(1_000, stop.signal);
  stop.abort();
  await asleep;
  expect([clock.nowMs(), clock.nextMs()]).toEqual([0, undefined]);
});

test("a machine's clock is offset and drifts, and a step moves wall clocks only", async () => {
  const clock = new VirtualClock(0);
  const fast = clock.machine({ offsetMs: 500, rate: 2 });
  await clock.advance(100);
  clock.step(-50);
  expect([clock.nowMs(), fast.nowMs(), fast.monotonicMs()]).toEqual([50, 650, 200]);
});
