import type { LogFields, Logger } from "../shared/api/log.ts";

/**
 * A logger that passes a warning on only when it says something new: what is tried again for hours
 * would else fill the log. Repetitions are still there at level debug.
 *
 * @param topic What is being reported, beside the message.
 */
export function repeatsOnce(log: Logger, topic: () => string): Logger {
  let last = "";
  const warn = (message: string, fields: LogFields = {}) => {
    const { error } = fields;
    const text = `${topic()} ${message} ${error instanceof Error ? error.message : String(error)}`;
    if (text === last) log.debug(message, fields);
    else log.warn(message, fields);
    last = text;
  };
  return { ...log, warn };
}
