import { bracketLiteral, casesOf, negated, POSIX_CLASSES, syntaxError } from "./re2-class.ts";
import { type Escaped, escaped } from "./re2-escape.ts";

/** Where a pattern is read; `at` moves on. */
export interface BracketState {
  readonly text: string;
  at: number;
  readonly flags: { readonly i: boolean };
}

/** `[...]`, with `]` as its first character taken as itself. */
export function bracket(state: BracketState): string {
  const start = state.at;
  const rest = () => state.text.slice(state.at);
  state.at += 1;
  const negative = state.text[state.at] === "^";
  if (negative) state.at += 1;
  const parts: string[] = [];
  for (let first = true; first || state.text[state.at] !== "]"; first = false) {
    if (state.at >= state.text.length)
      throw syntaxError("missing closing ]", state.text.slice(start));
    const posix = /^\[:(\^?)(\w+):\]/.exec(rest());
    if (posix) {
      const inside = POSIX_CLASSES[posix[2] ?? ""];
      if (inside === undefined) throw syntaxError("invalid character class range", posix[0]);
      parts.push(posix[1] ? negated(inside) : inside);
      state.at += posix[0].length;
      continue;
    }
    parts.push(range(state));
  }
  state.at += 1;
  return `[${negative ? "^" : ""}${parts.join("")}]`;
}

/** One character, one class, or a range of two characters. */
function range(state: BracketState): string {
  const start = state.at;
  const low = item(state);
  if (low.inside !== undefined) return low.inside;
  const from = low.character ?? "";
  const next = state.text[state.at + 1];
  if (state.text[state.at] !== "-" || next === undefined || next === "]") return both(state, from);
  state.at += 1;
  const upper = state.at;
  const high = item(state);
  if (high.inside !== undefined) {
    throw syntaxError("invalid escape sequence", state.text.slice(upper, state.at));
  }
  const to = high.character ?? "";
  if ((to.codePointAt(0) ?? 0) < (from.codePointAt(0) ?? 0)) {
    throw syntaxError("invalid character class range", state.text.slice(start, state.at));
  }
  return bothOfRange(state, from, to);
}

function item(state: BracketState): Escaped {
  const rest = state.text.slice(state.at);
  if (rest === "") throw syntaxError("missing closing ]", state.text);
  const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  const found = character === "\\" ? escaped(rest) : { length: character.length, character };
  state.at += found.length;
  return found;
}

function both({ flags }: BracketState, character: string): string {
  const cases = flags.i ? casesOf(character) : [character];
  return cases.map(bracketLiteral).join("");
}

/** With the other case of the letters of ASCII in it. */
function bothOfRange({ flags }: BracketState, from: string, to: string): string {
  const plain = `${bracketLiteral(from)}-${bracketLiteral(to)}`;
  if (!flags.i) return plain;
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const inside = Array.from(letters).filter((letter) => letter >= from && letter <= to);
  const others = inside.map((letter) => {
    return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  });
  return `${plain}${others.join("")}`;
}
