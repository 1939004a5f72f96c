import { expect, test } from "@jest/globals";
import { reportFailure } from "../../cli/report-failure.ts";

function reported(error: unknown): string[] {
  const lines: string[] = [];
  reportFailure(error, (line) => lines.push(line));
  return lines;
}

test("writes one line: the message and those of its causes", () => {
  const cause = new Error("ENOENT:\n no such file");
  expect(reported(new Error("cannot read a: expected a folder", { cause }))).toEqual([
    "tidegate: cannot read a: expected a folder: ENOENT: no such file",
  ]);
});

test("adds no cause to a message that says what to do", () => {
  const cause = new Error("listen EADDRINUSE");
  expect(reported(new Error("cannot serve: got EADDRINUSE; choose another", { cause }))).toEqual([
    "tidegate: cannot serve: got EADDRINUSE; choose another",
  ]);
});

test("ends where causes are a circle, and takes what is no error", () => {
  const error = new Error("round");
  error.cause = error;
  expect([reported(error), reported("text")]).toEqual([["tidegate: round"], ["tidegate: text"]]);
});
