import type { Mask } from "./mask.ts";

/** What one request of a scenario was answered, masked. */
export interface Exchange {
  /** "POST /api/v1/namespaces/{ns}/configmaps?dryRun=All"; "WATCH ..." for what a watch sent. */
  readonly request: string;
  readonly status: number;
  /** Content-Type where it is not application/json, Warning where there is one. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: unknown;
}

/** Takes an exchange. What is quiet is never masked, so it takes no numbers. */
export type Note = (exchange: (mask: Mask) => Exchange) => void;

/** Exchanges by scenario. */
export type Recording = Readonly<Record<string, readonly Exchange[]>>;

/** JSON that breaks lines only where they would be too long: small, and a change is a few lines of a diff. */
export function recordingText(recording: Recording): string {
  return `${pretty(recording, "")}\n`;
}

/** Lines such as `2. PUT /x: metadata.generation: expected 2, got 1`; none where both are equal. */
export function differences(
  expected: readonly Exchange[],
  got: readonly Exchange[],
): readonly string[] {
  const count = Math.max(expected.length, got.length);
  return Array.from({ length: count }, (_, index) => {
    const at = `${index + 1}. ${(got[index] ?? expected[index])?.request}: `;
    return [...compared(expected[index], got[index], "")].map((line) => `${at}${line}`);
  }).flat();
}

/** Only headers that say something. */
export function shownHeaders(
  all: Readonly<Record<string, string>>,
  mask: Mask,
): Pick<Exchange, "headers"> {
  const { "content-type": type, warning } = all;
  const headers = {
    ...(type !== undefined && type !== "application/json" && { "content-type": type }),
    ...(warning !== undefined && { warning: mask.text(warning) }),
  };
  return Object.keys(headers).length > 0 ? { headers } : {};
}

const LINE = 100;

function pretty(value: unknown, indent: string): string {
  const inline = JSON.stringify(value);
  if (typeof value !== "object" || value === null || inline.length + indent.length <= LINE) {
    return inline;
  }
  const inner = `${indent} `;
  const lines = Array.isArray(value)
    ? value.map((item) => pretty(item, inner))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([key, each]) => `${JSON.stringify(key)}: ${pretty(each, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${indent}${close}`;
}

function* compared(expected: unknown, got: unknown, path: string): Generator<string> {
  if (!container(expected) || !container(got) || Array.isArray(expected) !== Array.isArray(got)) {
    if (JSON.stringify(expected) !== JSON.stringify(got)) {
      yield `${path || "exchange"}: expected ${shown(expected)}, got ${shown(got)}`;
    }
    return;
  }
  const keys = new Set([...Object.keys(expected), ...Object.keys(got)]);
  for (const key of keys) {
    const at = Array.isArray(expected) ? `${path}[${key}]` : path ? `${path}.${key}` : key;
    yield* compared(memberOf(expected, key), memberOf(got, key), at);
  }
}

function container(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function memberOf(value: unknown, key: string): unknown {
  return (value as Record<string, unknown>)[key];
}

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 400 ? `${text.slice(0, 400)}...` : text;
}
