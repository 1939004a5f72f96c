import { types } from "node:util";

// Limits, so that one line stays a line: CloudWatch cuts an event at 1 MB.
const MAX_DEPTH = 6;
const MAX_ENTRIES = 100;
const MAX_CHARACTERS = 8_192;

/**
 * A value that JSON can take, whatever came in: errors with name, message, code, stack and cause (and
 * nothing else, for clients hang requests with bodies on them), BigInt and cycles as text, long
 * texts, long lists and deep trees cut.
 */
export function loggable(value: unknown, above: readonly unknown[] = []): unknown {
  if (typeof value === "string") return cut(value);
  if (typeof value === "bigint" || typeof value === "symbol") return String(value);
  if (typeof value === "function") return `[function ${value.name}]`;
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value)) return "[cyclic]";
  if (above.length >= MAX_DEPTH) return "[deep]";
  try {
    return objectOf(value, [...above, value]);
  } catch {
    // A getter or a toJSON of somebody's that throws: logging must not fail what it tells of.
    return "[unreadable]";
  }
}

/** Whether it is an error, also one of another realm. */
export function errorLike(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

function objectOf(value: object, above: readonly unknown[]): unknown {
  if (errorLike(value)) return errorOf(value, above);
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return loggable(value.toJSON(), above);
  }
  if (Array.isArray(value) || value instanceof Set) return listOf([...value], above);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const kept = entries.slice(0, MAX_ENTRIES);
  return Object.fromEntries(kept.map(([key, inner]) => [String(key), loggable(inner, above)]));
}

function listOf(list: readonly unknown[], above: readonly unknown[]): unknown[] {
  const kept = list.slice(0, MAX_ENTRIES).map((inner) => loggable(inner, above));
  return list.length > MAX_ENTRIES ? [...kept, `[${list.length - MAX_ENTRIES} more]`] : kept;
}

function errorOf(error: Error, above: readonly unknown[]) {
  const { name, message, stack, cause } = error;
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  return {
    name,
    message: cut(message),
    ...(typeof code === "string" || typeof code === "number" ? { code } : {}),
    ...(stack === undefined ? {} : { stack: cut(stack) }),
    ...(cause === undefined ? {} : { cause: loggable(cause, above) }),
    ...(Array.isArray(errors) ? { errors: listOf(errors, above) } : {}),
  };
}

function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return `${text.slice(0, MAX_CHARACTERS)} [${text.length - MAX_CHARACTERS} more]`;
}
