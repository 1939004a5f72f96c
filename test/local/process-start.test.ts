import { expect, test } from "@jest/globals";
import { processStart } from "../../local/process-start.ts";

/** A line of /proc for a process with this state that started then. */
const stat = (state: string, start: number) => () =>
  `7 (a) b (c) ${state} 1 7 7 0 -1 4194304 0 0 0 0 1 2 0 0 20 0 1 0 ${start} 4096 1`;

test.each([
  ["runs", "R", "3141"],
  ["sleeps", "S", "3141"],
  ["has ended, and its parent took no note", "Z", undefined],
])("a process that %s started at what its system says", (_what, state, start) => {
  expect(processStart(process.pid, stat(state, 3141))).toBe(start);
});

test("nothing is said where the system says nothing", () => {
  expect(processStart(process.pid, () => undefined)).toBe("");
});

test("our own start stays the same", () => {
  expect(processStart(process.pid)).toBe(processStart(process.pid));
});

test.each([999_999_999, 0, -1, Number.NaN])("process %d does not run", (pid) => {
  expect(processStart(pid)).toBeUndefined();
});
