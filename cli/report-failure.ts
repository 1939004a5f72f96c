import { inspect } from "node:util";

/** Writes what went wrong as one line: the message, then those of its causes. */
export function reportFailure(error: unknown, write: (line: string) => void): void {
  const texts: string[] = [];
  for (let at: unknown = error; at !== undefined && texts.length < 5; at = causeOf(at)) {
    const text = at instanceof Error ? at.message : typeof at === "string" ? at : inspect(at);
    if (!texts.some((known) => known.includes(text))) texts.push(text);
  }
  write(`tidegate: ${texts.join(": ").replaceAll(/\s*\n\s*/g, " ")}`);
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}
