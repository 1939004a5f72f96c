import { join } from "node:path";

const PROGRAM_DIRS = ["shared", "watcher", "local", "cli"].map((dir) =>
  join(import.meta.dirname, "..", dir, "/"),
);

/**
 * The place in the user's own code that a stack names first, as `FILE:LINE`: not in Node, not in a
 * package, not in ours. For a file that does not load it is the line that Node could not read.
 */
export function codePlaceOf(stack: string): string | undefined {
  // Node begins the stack of a syntax error with its place, without column.
  const unread = /^(?:file:\/\/)?(\/[^\n]+:\d+)\n/.exec(stack);
  const frames = stack.matchAll(/^\s+at (?:.* )?\(?(?:file:\/\/)?(\/[^\s()]+:\d+):\d+\)?$/gm);
  const places = [unread, ...frames].map((found) => found?.[1] ?? "");
  return places.find(
    (place) =>
      place !== "" &&
      !place.includes("/node_modules/") &&
      !PROGRAM_DIRS.some((dir) => place.startsWith(dir)),
  );
}
