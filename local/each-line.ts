import type { Readable } from "node:stream";

/** Longer lines come in pieces, as CloudWatch Logs takes no more at once. */
export const MAX_LINE_CHARACTERS = 1_048_576;

/**
 * Calls `print` with each line of a stream, the last one also without its end. (node:readline ends a
 * line at U+2028, too, which JSON leaves as it is in a text.)
 */
export function eachLine(stream: Readable, print: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    // Only what is new is looked through: a line without end would else take longer with each chunk.
    const [first = "", ...more] = chunk.split("\n");
    rest += first;
    for (const next of more) {
      print(rest);
      rest = next;
    }
    if (rest.length < MAX_LINE_CHARACTERS) return;
    print(rest);
    rest = "";
  });
  stream.on("end", () => rest !== "" && print(rest));
}
