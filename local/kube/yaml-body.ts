import { load } from "js-yaml";
import { scanJson } from "./json-scan.ts";
import { KUBE_YAML } from "./kube-yaml.ts";

/** What a body in YAML says. */
export interface YamlBody {
  readonly value: unknown;
  /** What is told in strict decoding: `line 7: key "one" already set in map`. */
  readonly faults: readonly string[];
}

/** More values than a body of 3 MiB can hold without aliases that multiply. */
const MAX_VALUES = 2_000_000;
const MAX_DEPTH = 1000;

/** Reads YAML, and JSON as part of it. Throws an Error with what is wrong. */
export function yamlBodyOf(text: string): YamlBody {
  const json = asJson(text);
  if (json) return json;
  if (text.trim() === "") return { value: null, faults: [] };
  try {
    return { value: plain(load(text, { schema: KUBE_YAML })), faults: [] };
  } catch (error) {
    if (!isDuplicate(error)) throw textOf(error);
    const key = JSON.stringify(keyAt(text, error.mark.position));
    const fault = `line ${error.mark.line + 1}: key ${key} already set in map`;
    return { value: plain(load(text, { schema: KUBE_YAML, json: true })), faults: [fault] };
  }
}

/** Undefined where it is no JSON, or has fields twice. */
function asJson(text: string): YamlBody | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    if (scanJson(text).some(({ again }) => again)) return undefined;
    return { value: JSON.parse(text) as unknown, faults: [] };
  } catch {
    return undefined;
  }
}

interface MarkedError extends Error {
  readonly reason: string;
  readonly mark: { readonly line: number; readonly position: number };
}

function isDuplicate(error: unknown): error is MarkedError {
  const { reason, mark } = error as Partial<MarkedError>;
  return reason === "duplicated mapping key" && mark !== undefined;
}

/** The position is behind the quote of a key that has one. */
function keyAt(text: string, position: number): string {
  return /^\s*["']?([^"':\n]*)/.exec(text.slice(position))?.[1]?.trim() ?? "";
}

function textOf(error: unknown): Error {
  const { reason, mark, message } = error as Partial<MarkedError>;
  return new Error(mark ? `line ${mark.line + 1}: ${reason}` : (reason ?? message));
}

/** A copy in which nothing is shared: aliases may make it endless, or larger than the machine. */
function plain(value: unknown): unknown {
  let values = 0;
  const copy = (each: unknown, depth: number): unknown => {
    values += 1;
    if (values > MAX_VALUES || depth > MAX_DEPTH) {
      throw new Error("document contains excessive aliasing");
    }
    if (Array.isArray(each)) return each.map((item) => copy(item, depth + 1));
    if (typeof each === "bigint") return Number(each);
    if (typeof each !== "object" || each === null) return each;
    const entries = Object.entries(each).map(([key, item]) => [key, copy(item, depth + 1)]);
    return Object.fromEntries(entries) as unknown;
  };
  return copy(value, 0);
}
