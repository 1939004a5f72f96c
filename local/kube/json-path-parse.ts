import type { JsonPath, JsonPathFilter, JsonPathOperand, JsonPathStep } from "./json-path.ts";

/** Reads a JSONPath with or without its braces, "$" or "@". Throws an Error where it is none. */
export function parseJsonPath(text: string): JsonPath {
  const bare = text.trim().replace(/^\{(.*)\}$/s, "$1");
  const steps: JsonPathStep[] = [];
  let at = /^[$@]/.test(bare) ? 1 : 0;
  while (at < bare.length) {
    const { found, length } = stepAt(bare, at);
    steps.push(...found);
    at += length;
  }
  return steps;
}

interface Read {
  readonly found: readonly JsonPathStep[];
  readonly length: number;
}

function stepAt(text: string, at: number): Read {
  if (text[at] === "[") {
    const inner = bracketAt(text, at);
    return { found: [bracketStep(inner)], length: inner.length + 2 };
  }
  const deep = text.startsWith("..", at);
  const dots = deep ? 2 : text[at] === "." ? 1 : 0;
  const found: JsonPathStep[] = deep ? [{ kind: "deep" }] : [];
  const name = /^(?:\\.|[^.[\\])*/s.exec(text.slice(at + dots))?.[0] ?? "";
  if (name === "*") found.push({ kind: "every" });
  else if (name !== "") found.push({ kind: "field", name: name.replaceAll(/\\(.)/gs, "$1") });
  const length = dots + name.length;
  if (length === 0) throw wrong(text);
  return { found, length };
}

/** What stands between a bracket and the one that closes it; quotes and inner brackets count. */
function bracketAt(text: string, start: number): string {
  let depth = 0;
  let quote = "";
  for (let at = start; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === "\\") at += 1;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === "[") depth += 1;
    else if (char === "]") {
      depth -= 1;
      if (depth === 0) return text.slice(start + 1, at);
    }
  }
  throw wrong(text);
}

function bracketStep(inner: string): JsonPathStep {
  const text = inner.trim();
  if (text === "*") return { kind: "every" };
  const filter = /^\?\((.*)\)$/s.exec(text);
  if (filter) return { kind: "filter", filter: filterOf(filter[1] ?? "") };
  if (/^-?\d+$/.test(text)) return { kind: "index", index: Number(text) };
  const slice = /^(-?\d*):(-?\d*)(?::(\d*))?$/.exec(text);
  if (slice) return sliceOf(slice);
  const quoted = unquoted(text);
  if (quoted !== undefined) return { kind: "field", name: quoted };
  const parts = text.split(",");
  if (parts.length < 2) throw wrong(`[${inner}]`);
  return { kind: "union", paths: parts.map((part) => [bracketStep(part)]) };
}

function sliceOf([, start, end, step]: RegExpExecArray): JsonPathStep {
  return {
    kind: "slice",
    ...(start && { start: Number(start) }),
    ...(end && { end: Number(end) }),
    ...(step && { step: Number(step) }),
  };
}

function filterOf(text: string): JsonPathFilter {
  const found = /^(.*?)(==|!=|<=|>=|<|>)(.*)$/s.exec(text);
  if (!found) return { left: operandOf(text), operator: "exists", right: { value: true } };
  const [, left = "", operator, right = ""] = found;
  return {
    left: operandOf(left),
    operator: operator as JsonPathFilter["operator"],
    right: operandOf(right),
  };
}

function operandOf(text: string): JsonPathOperand {
  const bare = text.trim();
  const quoted = unquoted(bare);
  if (quoted !== undefined) return { value: quoted };
  if (bare === "true" || bare === "false") return { value: bare === "true" };
  if (bare !== "" && !Number.isNaN(Number(bare))) return { value: Number(bare) };
  return { path: parseJsonPath(bare) };
}

function unquoted(text: string): string | undefined {
  const found = /^(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")$/s.exec(text);
  return (found?.[1] ?? found?.[2])?.replaceAll(/\\(.)/gs, "$1");
}

function wrong(text: string): Error {
  return new Error(
    `reading a JSONPath: expected one such as ".spec.replicas", got ${JSON.stringify(text)}`,
  );
}
