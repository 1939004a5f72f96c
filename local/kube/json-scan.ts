/** A field of a JSON text, in the order of the text. */
export interface ScannedField {
  /** "spec.ports[0].name" */
  readonly path: string;
  /** Whether its object has had it before. */
  readonly again: boolean;
}

/** As the API server's decoder allows, and far from what a JavaScript stack does. */
const MAX_DEPTH = 1000;

/**
 * Reads a JSON text for what `JSON.parse` does not tell: which fields stand twice, and what is wrong
 * with it, in the words of Go's decoder. Throws SyntaxError.
 */
export function scanJson(text: string): readonly ScannedField[] {
  const scan: Scan = { text, at: 0, depth: 0, fields: [] };
  value(scan, "");
  space(scan);
  if (scan.at < text.length) throw unexpected(scan, "after top-level value");
  return scan.fields;
}

interface Scan {
  readonly text: string;
  at: number;
  depth: number;
  readonly fields: ScannedField[];
}

const LITERALS: Readonly<Record<string, string>> = { t: "true", f: "false", n: "null" };

function value(scan: Scan, path: string): void {
  space(scan);
  const first = scan.text[scan.at] ?? "";
  const word = LITERALS[first];
  if (first === "{") nested(scan, () => object(scan, path));
  else if (first === "[") nested(scan, () => array(scan, path));
  else if (first === '"') string(scan);
  else if (word !== undefined) literal(scan, word);
  else number(scan);
}

function nested(scan: Scan, read: () => void): void {
  scan.depth += 1;
  if (scan.depth > MAX_DEPTH) throw new SyntaxError("exceeded max depth");
  scan.at += 1;
  read();
  scan.depth -= 1;
}

function object(scan: Scan, path: string): void {
  const seen = new Set<string>();
  if (isEmpty(scan, "}")) return;
  do {
    space(scan);
    if (scan.text[scan.at] !== '"') {
      throw unexpected(scan, "looking for beginning of object key string");
    }
    const key = string(scan);
    const inner = path === "" ? key : `${path}.${key}`;
    scan.fields.push({ path: inner, again: seen.has(key) });
    seen.add(key);
    space(scan);
    if (scan.text[scan.at] !== ":") throw unexpected(scan, "after object key");
    scan.at += 1;
    value(scan, inner);
  } while (!isEnded(scan, "}", "after object key:value pair"));
}

function array(scan: Scan, path: string): void {
  if (isEmpty(scan, "]")) return;
  let index = 0;
  do {
    value(scan, `${path}[${index}]`);
    index += 1;
  } while (!isEnded(scan, "]", "after array element"));
}

function isEmpty(scan: Scan, close: string): boolean {
  space(scan);
  if (scan.text[scan.at] !== close) return false;
  scan.at += 1;
  return true;
}

function isEnded(scan: Scan, close: string, where: string): boolean {
  space(scan);
  const next = scan.text[scan.at];
  if (next !== close && next !== ",") throw unexpected(scan, where);
  scan.at += 1;
  return next === close;
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function string(scan: Scan): string {
  const start = scan.at;
  scan.at += 1;
  for (;;) {
    const letter = scan.text[scan.at];
    if (letter === undefined || letter < " ") throw unexpected(scan, "in string literal");
    if (letter === "\\") {
      if (match(scan, ESCAPE) === undefined) {
        scan.at += 1;
        throw unexpected(scan, "in string escape code");
      }
      continue;
    }
    scan.at += 1;
    if (letter === '"') return JSON.parse(scan.text.slice(start, scan.at)) as string;
  }
}

function number(scan: Scan): void {
  if (match(scan, NUMBER) === undefined) throw unexpected(scan, "looking for beginning of value");
}

function literal(scan: Scan, word: string): void {
  for (const letter of word) {
    if (scan.text[scan.at] !== letter) {
      throw unexpected(scan, `in literal ${word} (expecting '${letter}')`);
    }
    scan.at += 1;
  }
}

function match(scan: Scan, pattern: RegExp): string | undefined {
  pattern.lastIndex = scan.at;
  const found = pattern.exec(scan.text)?.[0];
  if (found !== undefined) scan.at += found.length;
  return found;
}

function space(scan: Scan): void {
  while (" \t\r\n".includes(scan.text[scan.at] ?? "x")) scan.at += 1;
}

function unexpected({ text, at }: Scan, where: string): SyntaxError {
  const point = text.codePointAt(at);
  if (point === undefined) return new SyntaxError("unexpected end of JSON input");
  const letter = String.fromCodePoint(point);
  const shown = letter === "'" ? "\\'" : JSON.stringify(letter).slice(1, -1).replace('\\"', '"');
  return new SyntaxError(`invalid character '${shown}' ${where}`);
}
