import { Readable } from "node:stream";
import { expect, test } from "@jest/globals";
import { eachLine, MAX_LINE_CHARACTERS } from "../../local/each-line.ts";

test.each([
  ["lines that are cut into chunks", ["a", "b\nc", "\n"], ["ab", "c"]],
  [
    "a character that is cut in two",
    [Buffer.from("\u20ac\n").subarray(0, 1), Buffer.from("\u20ac\n").subarray(1)],
    ["\u20ac"],
  ],
  ["a last line without its end", ["a\nb"], ["a", "b"]],
  [
    "a line that is too long, in pieces",
    ["a".repeat(MAX_LINE_CHARACTERS - 1), "bb", "b\nc"],
    [`${"a".repeat(MAX_LINE_CHARACTERS - 1)}bb`, "b", "c"],
  ],
  ["line separators that JSON leaves in a text", ['"a\u2028b"\n'], ['"a\u2028b"']],
])("reads %s", async (_, chunks, expected) => {
  const lines: string[] = [];
  const stream = Readable.from(chunks, { objectMode: false });
  const ended = new Promise((resolve) => stream.on("close", resolve));
  eachLine(stream, (line) => lines.push(line));
  await ended;
  expect(lines).toEqual(expected);
});
