import type { LogFields, Logger } from "../api/log.ts";
import { loggable } from "./loggable.ts";
import { textLine } from "./text-line.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

/** From the least to the gravest. */
export const LOG_LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

export interface LoggerOptions {
  /** Takes one line, without its line break. */
  readonly write: (line: string) => void;
  readonly nowMs: () => number;
  /** The least that is written; default "info". */
  readonly level?: LogLevel;
  /** On every line. */
  readonly fields?: LogFields;
  /** JSON lines for machines (default), or short lines for a terminal. */
  readonly format?: "json" | "text";
  /** Colours of the text format; default false. Pass false where NO_COLOR is set. */
  readonly color?: boolean;
}

export interface StructuredLogger extends Logger {
  /** A logger with more fields on every line. */
  readonly child: (fields: LogFields) => StructuredLogger;
}

/** One line of a log, before it becomes text. */
export interface LogEntry {
  readonly timeMs: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** A logger of lines `{ time, level, message, ...fields }`. Never throws for what a field holds. */
export function createLogger(options: LoggerOptions): StructuredLogger {
  const { write, nowMs, level: least = "info", fields: common = {}, format = "json" } = options;
  const at = (level: LogLevel) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return () => {};
    return (message: string, fields: LogFields = {}) => {
      const entry = { timeMs: nowMs(), level, message, fields: { ...common, ...fields } };
      const { color = false } = options;
      write(format === "json" ? jsonLine(entry) : textLine(entry, { color, least }));
    };
  };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (fields) => createLogger({ ...options, fields: { ...common, ...fields } }),
  };
}

function jsonLine({ timeMs, level, message, fields }: LogEntry): string {
  const head = { time: new Date(timeMs).toISOString(), level, message };
  // Twice: for their place at the front, and so that no field of the same name replaces them.
  return JSON.stringify({ ...head, ...(loggable(fields) as object), ...head });
}
