import type { CelLibrary } from "./cel-library.ts";
import { CelError } from "./cel-value.ts";

// Places in texts are counted in code points, as Go's runes; JavaScript counts UTF-16 units.

/** https://pkg.go.dev/github.com/google/cel-go/ext#Strings, version 2 */
export const STRINGS: CelLibrary = {
  charAt: { "string.(int) string": charAt },
  indexOf: {
    "string.(string) int": (text: string, part: string) => indexOf(text, part, 0n),
    "string.(string, int) int": indexOf,
  },
  lastIndexOf: {
    "string.(string) int": (text: string, part: string) => lastIndexOf(text, part),
    "string.(string, int) int": lastIndexOf,
  },
  join: {
    "list(string).() string": (texts: readonly string[]) => texts.join(""),
    "list(string).(string) string": (texts: readonly string[], between: string) =>
      texts.join(between),
  },
  lowerAscii: {
    "string.() string": (text: string) => text.replace(/[A-Z]/g, (each) => each.toLowerCase()),
  },
  upperAscii: {
    "string.() string": (text: string) => text.replace(/[a-z]/g, (each) => each.toUpperCase()),
  },
  replace: {
    "string.(string, string) string": (text: string, part: string, by: string) =>
      pieces(text, part).join(by),
    "string.(string, string, int) string": replaceSome,
  },
  split: {
    "string.(string) list(string)": (text: string, by: string) => split(text, by, -1n),
    "string.(string, int) list(string)": split,
  },
  substring: {
    "string.(int) string": (text: string, from: bigint) => rest(text, from),
    "string.(int, int) string": substring,
  },
  // Go's TrimSpace takes what Unicode calls white space; JavaScript's trim also takes U+FEFF.
  trim: {
    "string.() string": (text: string) =>
      text.replace(/^[\p{White_Space}]+|[\p{White_Space}]+$/gu, ""),
  },
};

function charAt(text: string, index: bigint): string {
  const characters = Array.from(text);
  if (index < 0n || index > BigInt(characters.length)) {
    throw new CelError(`index out of range: ${index}`);
  }
  return characters[Number(index)] ?? "";
}

function indexOf(text: string, part: string, from: bigint): bigint {
  const [characters, wanted] = [Array.from(text), Array.from(part)];
  if (wanted.length === 0) return from;
  if (from < 0n || from > BigInt(characters.length)) throw outOfRange(from);
  for (let at = Number(from); at + wanted.length <= characters.length; at += 1) {
    if (wanted.every((each, index) => characters[at + index] === each)) return BigInt(at);
  }
  return -1n;
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  const [characters, wanted] = [Array.from(text), Array.from(part)];
  if (wanted.length === 0) return from ?? BigInt(characters.length);
  if (from !== undefined && (from < 0n || from > BigInt(characters.length))) throw outOfRange(from);
  const last = characters.length - wanted.length;
  const start = from === undefined ? last : Math.min(Number(from), last);
  for (let at = start; at >= 0; at -= 1) {
    if (wanted.every((each, index) => characters[at + index] === each)) return BigInt(at);
  }
  return -1n;
}

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

/** What stands around each occurrence; an empty part occurs around each character. */
function pieces(text: string, part: string): readonly string[] {
  return part === "" ? ["", ...Array.from(text), ""] : text.split(part);
}

function replaceSome(text: string, part: string, by: string, most: bigint): string {
  const parts = pieces(text, part);
  const count = most < 0n ? parts.length : Number(most);
  return parts.reduce((whole, each, index) => `${whole}${index <= count ? by : part}${each}`);
}

function split(text: string, by: string, most: bigint): readonly string[] {
  if (most === 0n) return [];
  const parts = by === "" ? Array.from(text) : text.split(by);
  if (most < 0n || BigInt(parts.length) <= most) return parts;
  const kept = parts.slice(0, Number(most) - 1);
  return [...kept, parts.slice(Number(most) - 1).join(by)];
}

function rest(text: string, from: bigint): string {
  const characters = Array.from(text);
  if (from < 0n || from > BigInt(characters.length)) throw outOfRange(from);
  return characters.slice(Number(from)).join("");
}

function substring(text: string, from: bigint, to: bigint): string {
  const characters = Array.from(text);
  const size = BigInt(characters.length);
  if (from > to) throw new CelError(`invalid substring range. start: ${from}, end: ${to}`);
  if (from < 0n || from > size) throw outOfRange(from);
  if (to < 0n || to > size) throw outOfRange(to);
  return characters.slice(Number(from), Number(to)).join("");
}
