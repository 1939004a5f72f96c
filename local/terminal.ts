import type { Logger } from "../shared/api/log.ts";
import { systemClock } from "../shared/clock.ts";
import { createLogger, type LogLevel } from "../shared/telemetry/log.ts";
import { textLine } from "../shared/telemetry/text-line.ts";

export interface Terminal {
  readonly log: Logger;
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

const LEVELS: readonly string[] = ["debug", "info", "warn", "error"] satisfies LogLevel[];

/** What a person reads of several programs in one window. */
export function createTerminal({ out, verbose, noColor }: TerminalOptions): Terminal {
  const color = out.isTTY === true && !noColor;
  const least = verbose ? "debug" : "info";
  const write = (line: string) => void out.write(`${line}\n`);
  const log = createLogger({
    write,
    nowMs: systemClock.nowMs,
    level: least,
    format: "text",
    color,
  });
  const print = (source: string, line: string) => {
    const entry = entryOf(line);
    if (entry === "metrics" ? verbose : entry === undefined) return write(`${source}: ${line}`);
    if (entry === "metrics" || entry === undefined) return;
    if (entry.level === "debug" && !verbose) return;
    write(textLine({ ...entry, fields: { ...entry.fields, from: source } }, { color, least }));
  };
  return { log, print };
}

function entryOf(line: string) {
  const parsed = objectIn(line);
  if (parsed === undefined) return undefined;
  if ("_aws" in parsed) return "metrics"; // The embedded metric format.
  const { time, level, message, ...fields } = parsed;
  if (typeof message !== "string" || typeof level !== "string" || !LEVELS.includes(level)) return;
  return { timeMs: Date.parse(String(time)), level: level as LogLevel, message, fields };
}

function objectIn(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
