import { expect, test } from "@jest/globals";
import { FunctionPause, type FunctionState } from "../../local/function-pause.ts";

function paused(atFirst: boolean): { pause: FunctionPause; states: FunctionState[] } {
  const states: FunctionState[] = [];
  return { pause: new FunctionPause(atFirst, (state) => states.push(state)), states };
}

const never = new AbortController().signal;

test("is pausing until the last run ended, and then paused", () => {
  const { pause, states } = paused(false);
  const { signal } = pause;
  pause.set(true);
  pause.set(true);
  expect(signal.aborted).toBe(true);
  pause.rested();
  expect(states).toEqual(["running", "pausing", "paused"]);
});

test("a resume wakes who waits, and messages are taken again", async () => {
  const { pause, states } = paused(true);
  const resumed = pause.resumed(never);
  pause.set(false);
  await resumed;
  pause.rested(); // Too late: it runs again.
  expect(pause.signal.aborted).toBe(false);
  expect(states).toEqual(["paused", "running"]);
});

test("a stop ends the wait of a paused one", async () => {
  const { pause } = paused(true);
  const stop = new AbortController();
  const resumed = pause.resumed(stop.signal);
  stop.abort();
  await resumed;
  expect(pause.signal.aborted).toBe(true);
});
