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
  if (first === "{") return nested(scan, () => object(scan, path));
  if (first === "[") return nested(scan, () => array(scan, path));
  if (first === '"') return void string(scan);
  const word = LITERALS[first];
  if (word !== undefined) return literal(scan, word);
  number(scan);
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
  for (let first = true; ; first = false) {
    space(scan);
    const next = scan.text[scan.at];
    if (first && next === "}") return void (scan.at += 1);
    if (next !== '"') throw unexpected(scan, "looking for beginning of object key string");
    const key = string(scan);
    const inner = path === "" ? key : `${path}.${key}`;
    scan.fields.push({ path: inner, again: seen.has(key) });
    seen.add(key);
    space(scan);
    if (scan.text[scan.at] !== ":") throw unexpected(scan, "after object key");
    scan.at += 1;
    value(scan, inner);
    if (ended(scan, "}", "after object key:value pair")) return;
  }
}

function array(scan: Scan, path: string): void {
  space(scan);
  if (scan.text[scan.at] === "]") return void (scan.at += 1);
  for (let index = 0; ; index += 1) {
    value(scan, `${path}[${index}]`);
    if (ended(scan, "]", "after array element")) return;
  }
}

function ended(scan: Scan, close: string, where: string): boolean {
  space(scan);
  const next = scan.text[scan.at];
  if (next !== close && next !== ",") throw unexpected(scan, where);
  scan.at += 1;
  return next === close;
}

const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const BEGUN_STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function string(scan: Scan): string {
  const found = match(scan, STRING);
  if (found !== undefined) return JSON.parse(found) as string;
  match(scan, BEGUN_STRING);
  throw unexpected(
    scan,
    scan.text[scan.at] === "\\" ? "in string escape code" : "in string literal",
  );
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
