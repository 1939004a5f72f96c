import type { Logger } from "../api/log.ts";
import { createLogger, LOG_LEVELS } from "../telemetry/log.ts";

/**
 * The log of a function at the level that its environment asks for; "info" by default. A level that
 * does not exist is told in its first line, and "info" is used: no request waits for a misspelt word.
 */
export function createFunctionLog(
  asked: string | undefined,
  options: { readonly write: (line: string) => void; readonly nowMs: () => number },
): Logger {
  const known = LOG_LEVELS.find((level) => level === asked?.toLowerCase());
  const log = createLogger({ ...options, level: known ?? "info" });
  if (asked !== undefined && known === undefined) {
    const expected = LOG_LEVELS.join(", ");
    log.warn("TIDEGATE_LOG_LEVEL names no level: info is used", { expected, got: asked });
  }
  return log;
}
