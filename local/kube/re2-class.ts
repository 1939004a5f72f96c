/** Characters with a meaning of their own in a JavaScript pattern with the `u` flag. */
const SYNTAX = /[\\^$.*+?()[\]{}|/]/;

/** One character, as a JavaScript pattern has to write it outside of brackets. */
export function literal(character: string): string {
  return SYNTAX.test(character) ? `\\${character}` : character;
}

/** One character, as a JavaScript pattern has to write it inside of brackets. */
export function bracketLiteral(character: string): string {
  return character === "-" ? "\\-" : literal(character);
}

/** A letter in both cases, with those signs that Unicode folds to k and s. */
export function casesOf(character: string): readonly string[] {
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  const cases = [lower, upper].filter((each) => Array.from(each).length === 1);
  if (lower === upper || cases.length < 2) return [character];
  return [...cases, ...(FOLDED[lower] ?? [])];
}

/** The inside of a bracket, with the signs that fold to one of its letters. */
export function withFolded(inside: string): string {
  const test = new RegExp(`[${inside}]`, "u");
  const more = Object.entries(FOLDED).filter(([letter]) => test.test(letter));
  return [inside, ...more.flatMap(([, signs]) => signs)].join("");
}

/** The long s and the Kelvin sign. */
const FOLDED: Readonly<Record<string, readonly string[]>> = { k: ["\u212a"], s: ["\u017f"] };

/** RE2's classes of letters, as the inside of a bracket. They are ASCII. */
export const PERL_CLASSES: Readonly<Record<string, string>> = {
  d: "0-9",
  s: "\\t\\n\\f\\r ",
  w: "0-9A-Za-z_",
};

/** `[[:alpha:]]` and the like, as the inside of a bracket. */
export const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\x00-\\x7f",
  blank: "\\t ",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: " -~",
  punct: "!-\\/:-@\\[-`\\{-~",
  space: "\\t\\n\\v\\f\\r ",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};

/**
 * All but the characters of a class, as the inside of a bracket: JavaScript has no negation inside
 * one. The class has ranges and single characters of ASCII in rising order.
 */
export function negated(inside: string): string {
  const test = new RegExp(`[${inside}]`, "u");
  const parts: string[] = [];
  for (let code = 0; code < 128; code++) {
    const first = code;
    while (code < 128 && !test.test(String.fromCharCode(code))) code++;
    if (code > first) parts.push(`${hex(first)}-${hex(code - 1)}`);
  }
  return `${parts.join("")}\\u{80}-\\u{10ffff}`;
}

function hex(code: number): string {
  return `\\x${code.toString(16).padStart(2, "0")}`;
}

/** Fails as Go does. */
export function syntaxError(what: string, part: string): Error {
  return new Error(`error parsing regexp: ${what}: \`${part}\``);
}
