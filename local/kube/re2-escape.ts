import { negated, PERL_CLASSES, syntaxError } from "./re2-class.ts";

export interface Escaped {
  readonly length: number;
  /** A class, as the inside of a bracket. */
  readonly inside?: string;
  readonly character?: string;
}

const CONTROL: Readonly<Record<string, string>> = {
  a: "\u0007",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** What stands after a backslash, inside a bracket or not. */
export function escaped(rest: string): Escaped {
  const letter = rest[1];
  if (letter === undefined)
    throw new Error("error parsing regexp: trailing backslash at end of expression: ``");
  const perl = PERL_CLASSES[letter.toLowerCase()];
  if (perl !== undefined) {
    return { length: 2, inside: letter === letter.toLowerCase() ? perl : negated(perl) };
  }
  const unicode = /^\\([pP])(?:\{(\^?)(\w+)\}|(\w))/.exec(rest);
  if (unicode) return unicodeClass(unicode);
  const code = /^\\x(?:\{([0-9a-fA-F]{1,8})\}|([0-9a-fA-F]{2}))/.exec(rest);
  if (code) return { length: code[0].length, character: codePoint(code[1] ?? code[2] ?? "", 16) };
  const octal = /^\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(rest);
  if (octal) return { length: octal[0].length, character: codePoint(octal[1] ?? "", 8) };
  const control = CONTROL[letter];
  if (control !== undefined) return { length: 2, character: control };
  // Any other character of ASCII that is no letter or digit stands for itself.
  if (letter < "\u0080" && !/[0-9A-Za-z]/.test(letter)) return { length: 2, character: letter };
  const whole = String.fromCodePoint(rest.codePointAt(1) ?? 0);
  throw syntaxError("invalid escape sequence", `\\${whole}`);
}

function codePoint(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  if (code > 0x10ffff) throw syntaxError("invalid escape sequence", `\\x{${digits}`);
  return String.fromCodePoint(code);
}

function unicodeClass([text, letter, caret, long, short]: RegExpExecArray): Escaped {
  const name = long ?? short ?? "";
  const positive = (letter === "p") === (caret !== "^");
  const inside = [name, `Script=${name}`]
    .map((each) => `\\${positive ? "p" : "P"}{${each}}`)
    .find((each) => isPattern(each));
  if (inside === undefined) throw syntaxError("invalid character class range", text ?? "");
  return { length: text?.length ?? 0, inside };
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "u").source !== "";
  } catch {
    return false;
  }
}
