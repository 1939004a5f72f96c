import type { LogFields, Logger } from "../api/log.ts";

/** A logger whose lines of all levels go to one function. */
export function loggerOf(
  tell: (level: keyof Logger, message: string, fields: LogFields) => void,
): Logger {
  const at =
    (level: keyof Logger) =>
    (message: string, fields: LogFields = {}): void =>
      tell(level, message, fields);
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
