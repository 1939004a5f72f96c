/** Causes can be a circle. */
const MAX_CAUSES = 5;

/**
 * Writes what went wrong as one line: the message, then those of its causes, up to one that says
 * what to do, which needs no more.
 */
export function reportFailure(error: unknown, write: (line: string) => void): void {
  const texts: string[] = [];
  let at = error;
  for (let depth = 0; at !== undefined && depth < MAX_CAUSES; depth += 1) {
    const text = textOf(at);
    if (!texts.some((known) => known.includes(text))) texts.push(text);
    if (text.includes("; ")) break;
    at = causeOf(at);
  }
  write(`tidegate: ${texts.join(": ").replaceAll(/\s*\n\s*/g, " ")}`);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}
