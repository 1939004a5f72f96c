import type { LogFields, Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";

/** Said again after so long a silence it is news. Above the longest wait of what is tried again. */
const FORGOTTEN_MS = 600_000;

/**
 * A logger that passes a warning on only when it says something new: what is tried again for hours
 * would else fill the log. Repetitions are still there at level debug. Good news (info) makes the
 * next warning new.
 *
 * @param topic What is being reported, beside the message.
 */
export function repeatsOnce(
  log: Logger,
  clock: Pick<Clock, "monotonicMs">,
  topic: () => string = () => "",
): Logger {
  let last: { readonly text: string; readonly atMs: number } | undefined;
  return {
    debug: log.debug,
    error: log.error,
    info: (message, fields) => {
      last = undefined;
      log.info(message, fields);
    },
    warn: (message: string, fields: LogFields = {}) => {
      const { error } = fields;
      const text = `${topic()} ${message} ${error instanceof Error ? error.message : String(error)}`;
      const atMs = clock.monotonicMs();
      const repeated = last?.text === text && atMs - last.atMs < FORGOTTEN_MS;
      last = { text, atMs };
      if (repeated) log.debug(message, fields);
      else log.warn(message, fields);
    },
  };
}
