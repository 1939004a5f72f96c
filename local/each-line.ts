import type { Readable } from "node:stream";

/**
 * Calls `print` with each line of a stream, the last one also without its end. (node:readline ends a
 * line at U+2028, too, which JSON leaves as it is in a text.)
 */
export function eachLine(stream: Readable, print: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) print(line);
  });
  stream.on("end", () => rest !== "" && print(rest));
}
