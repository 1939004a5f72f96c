import type { Logger } from "../shared/api/log.ts";
import { systemClock } from "../shared/clock.ts";
import { createLogger, LOG_LEVELS } from "../shared/telemetry/log.ts";
import { textLine } from "../shared/telemetry/text-line.ts";
import { codePlaceOf } from "./code-place.ts";

export interface Terminal {
  readonly log: Logger;
  /** Prints text as it is. */
  readonly say: (text: string) => void;
  /** Prints a line of another program: a log line for people, anything else as it is. */
  readonly print: (source: string, line: string) => void;
}

export interface TerminalOptions {
  readonly out: { readonly isTTY?: boolean; readonly write: (text: string) => unknown };
  /** Shows debug lines and metrics, too. */
  readonly verbose: boolean;
  /** https://no-color.org */
  readonly noColor: boolean;
}

/**
 * What a person reads of several programs in one window. Lines of one turn of the event loop are
 * written together, at the end of that turn: nothing is lost where the process ends in a later one.
 */
export function createTerminal({ out, verbose, noColor }: TerminalOptions): Terminal {
  const color = out.isTTY === true && !noColor;
  const least = verbose ? "debug" : "info";
  const write = together((text) => out.write(text));
  const log = createLogger({
    write,
    nowMs: systemClock.nowMs,
    level: least,
    format: "text",
    color,
  });
  const readable = (source: string, line: string): string | undefined => {
    const entry = entryOf(line);
    if (entry === "metrics" ? verbose : entry === undefined) return `${source}: ${line}`;
    if (entry === "metrics" || entry === undefined) return undefined;
    if (entry.level === "debug" && !verbose) return undefined;
    const fields = { ...placed(entry.fields), from: source };
    return textLine({ ...entry, fields }, { color, least });
  };
  const print = (source: string, line: string) => {
    const text = orElse(() => readable(source, line), `${source}: ${line}`);
    if (text !== undefined) write(text);
  };
  return { log, print, say: write };
}

/** A program may print anything, such as a value nested too deep to walk: nothing of it ends ours. */
function orElse<T>(make: () => T, otherwise: T): T {
  try {
    return make();
  } catch {
    return otherwise;
  }
}

/** A pipe's writes wait for its reader, so a burst of lines is one write and not hundreds. */
function together(write: (text: string) => unknown): (line: string) => void {
  let text = "";
  const flush = () => {
    const gathered = text;
    text = "";
    write(gathered);
  };
  return (line) => {
    if (text === "") queueMicrotask(flush);
    text += `${line}\n`;
  };
}

function entryOf(line: string) {
  const parsed = objectIn(line);
  if (parsed === undefined) return undefined;
  if ("_aws" in parsed) return "metrics"; // The embedded metric format.
  const { time, level: named, message, ...fields } = parsed;
  const level = LOG_LEVELS.find((known) => known === named);
  const timeMs = Date.parse(String(time));
  if (typeof message !== "string" || level === undefined || Number.isNaN(timeMs)) return undefined;
  return { timeMs, level, message, fields };
}

/** Errors as errors again, so that they print in short, each with the place in the user's code. */
function placed(fields: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(fields).map(([key, value]) => [key, errorIn(value)] as const);
  const stacks = entries.flatMap(([, value]) =>
    value instanceof Error ? (value.stack ?? []) : [],
  );
  const at = stacks.map(codePlaceOf).find((place) => place !== undefined);
  return { ...Object.fromEntries(entries), ...(at !== undefined && { at }) };
}

function errorIn(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { message, stack, cause } = value as Record<string, unknown>;
  if (typeof message !== "string" || typeof stack !== "string") return value;
  return Object.assign(new Error(message, { cause: errorIn(cause) }), { stack });
}

function objectIn(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
