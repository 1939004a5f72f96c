import { StringDecoder } from "node:string_decoder";

/**
 * The lines of a body, without their ends, however it is cut into chunks. What follows the last line
 * end is a line, too, unless it is empty. Reads on only when asked. Fails on a line longer than `maxLength`.
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  maxLength: number,
): AsyncGenerator<string, void, undefined> {
  const decoder = new StringDecoder("utf8");
  let begun: string[] = []; // Of one line; joined once, as a long one comes in many chunks.
  let length = 0;
  for await (const chunk of chunks) {
    const text = decoder.write(chunk);
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      yield begun.join("") + text.slice(from, end);
      begun = [];
      length = 0;
      from = end + 1;
    }
    begun.push(text.slice(from));
    length += text.length - from;
    if (length > maxLength) {
      throw new Error(`expected lines of at most ${maxLength} characters, got a longer one`);
    }
  }
  const last = begun.join("") + decoder.end();
  if (last !== "") yield last;
}
