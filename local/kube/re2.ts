import { linearTest } from "./re2-linear.ts";
import { translate } from "./re2-translate.ts";

export interface Re2 {
  /** Whether a text has it, as Go's regexp says; absent where Go refuses the pattern. */
  readonly test?: (text: string) => boolean;
  /** Go's words for what is wrong: "error parsing regexp: missing closing ): `(a`". */
  readonly error?: string;
}

/**
 * A pattern in RE2's syntax, the one of the API server: found anywhere in the text, `$` only at its
 * very end, `\d`, `\w` and `\s` of ASCII. Look-around and back-references, which JavaScript knows and
 * RE2 does not, are errors. Patterns are kept, since objects are checked often.
 *
 * No pattern takes more than moments: JavaScript's own engine, which may try a way more for each way
 * to divide the text, is asked only where these ways are few.
 * https://github.com/google/re2/wiki/Syntax
 */
export function re2(pattern: string): Re2 {
  const known = cache.get(pattern);
  if (known) return known;
  const made = compile(pattern);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(pattern, made);
  return made;
}

const MAX_CACHED = 1_000;
const cache = new Map<string, Re2>();

function compile(pattern: string): Re2 {
  try {
    return { test: tester(translate(pattern)) };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const known = text.startsWith("error parsing regexp") ? text : "";
    return { error: known || `error parsing regexp: invalid escape sequence: \`${pattern}\`` };
  }
}

/** So many ways JavaScript's engine tries in about 10 ms. */
const MAX_WAYS = 1_000_000;

/** @param pattern What `translate` made. Throws where JavaScript does not take it. */
function tester(pattern: string): (text: string) => boolean {
  const regExp = new RegExp(pattern, "u");
  const loops = pattern.match(/(?<!\\)[*+?{|]/g)?.length ?? 0;
  const nested = /\)[*+{]/.test(pattern);
  let linear: ReturnType<typeof linearTest> | "not made" = "not made";
  return (text) => {
    if (!nested && (text.length + 1) ** (loops + 1) <= MAX_WAYS) return regExp.test(text);
    if (linear === "not made") linear = linearTest(pattern);
    return linear ? linear(text) : regExp.test(text);
  };
}
