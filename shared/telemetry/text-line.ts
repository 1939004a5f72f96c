import type { LogEntry, LogLevel } from "./log.ts";
import { errorLike, loggable } from "./loggable.ts";

// https://en.wikipedia.org/wiki/ANSI_escape_code#Select_Graphic_Rendition_parameters
const COLORS = { debug: 90, info: 36, warn: 33, error: 31 };
const DIM = 2;

/** A line for people: time of day, level, message, and fields as `key=value`. Stacks only at level debug. */
export function textLine(
  { timeMs, level, message, fields }: LogEntry,
  { color, least }: { color: boolean; least: LogLevel },
): string {
  const paint = (text: string, code: number) => (color ? `\u001b[${code}m${text}\u001b[0m` : text);
  const time = new Date(timeMs).toISOString().slice(11, 23);
  const shown = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${paint(`${key}=`, DIM)}${short(value)}`);
  const head = [paint(time, DIM), paint(level.padEnd(5), COLORS[level]), message, ...shown];
  const stacks = least === "debug" ? Object.values(fields).filter(errorLike) : [];
  return [head.join(" "), ...stacks.map(({ stack }) => stack ?? "")].join("\n");
}

function short(value: unknown): string {
  if (errorLike(value)) return quoted(reasons(value).join(": "));
  const plain = loggable(value);
  return typeof plain === "string" ? quoted(plain) : JSON.stringify(plain);
}

/** The messages of an error and of what caused it. */
function reasons(error: unknown, above: readonly unknown[] = []): string[] {
  if (!errorLike(error) || above.includes(error)) return [];
  return [error.message || error.name, ...reasons(error.cause, [...above, error])];
}

/** Quoted where it would not read as one word; a control character never reaches the terminal. */
function quoted(text: string): string {
  return /^[^\s"=\p{Cc}]+$/u.test(text) ? text : JSON.stringify(text);
}
