import type { LogFields, Logger } from "../../shared/api/log.ts";
import { loggerOf } from "../../shared/telemetry/logger-of.ts";

/** A line of a log, as a test reads it. */
export interface LoggedLine {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: LogFields;
}

/** A logger that keeps its lines. */
export function recordedLog(): { readonly log: Logger; readonly logged: LoggedLine[] } {
  const logged: LoggedLine[] = [];
  return {
    log: loggerOf((level, message, fields) => logged.push({ level, message, fields })),
    logged,
  };
}
