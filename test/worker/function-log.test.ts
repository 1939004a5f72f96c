import { expect, test } from "@jest/globals";
import { createFunctionLog } from "../../shared/worker/function-log.ts";

/** What a function with this level has written once it logged a line of each level. */
function written(asked: string | undefined): unknown[] {
  const lines: unknown[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  const log = createFunctionLog(asked, { write, nowMs: () => 0 });
  for (const level of ["debug", "info", "warn", "error"] as const) log[level](level);
  return lines;
}

test.each([
  [undefined, ["info", "warn", "error"]],
  ["debug", ["debug", "info", "warn", "error"]],
  ["Error", ["error"]],
])("the level %p writes %p", (asked, levels) => {
  expect(written(asked)).toMatchObject(levels.map((message) => ({ message })));
});

test("a level that does not exist is told once, with what was expected, and info is used", () => {
  expect(written("wran")).toMatchObject([
    {
      level: "warn",
      message: "TIDEGATE_LOG_LEVEL names no level: info is used",
      expected: "debug, info, warn, error",
      got: "wran",
    },
    { message: "info" },
    { message: "warn" },
    { message: "error" },
  ]);
});
