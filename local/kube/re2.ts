import { translate } from "./re2-translate.ts";

export interface Re2 {
  /** Matches as Go's regexp does; absent where Go refuses the pattern. */
  readonly regExp?: RegExp;
  /** Go's words for what is wrong: "error parsing regexp: missing closing ): `(a`". */
  readonly error?: string;
}

/**
 * A pattern in RE2's syntax, the one of the API server, as a JavaScript RegExp: anywhere in the text,
 * `$` only at its very end, `\d`, `\w` and `\s` of ASCII. Look-around and back-references, which
 * JavaScript knows and RE2 does not, are errors. Patterns are kept, since objects are checked often.
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
    return { regExp: new RegExp(translate(pattern), "u") };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const known = text.startsWith("error parsing regexp") ? text : "";
    return { error: known || `error parsing regexp: invalid escape sequence: \`${pattern}\`` };
  }
}
