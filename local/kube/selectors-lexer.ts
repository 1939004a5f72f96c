export interface SelectorToken {
  readonly kind:
    | "word"
    | "end"
    | "wrong"
    | ")"
    | ","
    | "!"
    | "=="
    | "="
    | ">"
    | "in"
    | "<"
    | "!="
    | "notin"
    | "(";
  readonly text: string;
}

/** Cuts a label selector into words and symbols; the last token is "end". */
export function selectorTokens(text: string): SelectorToken[] {
  const tokens: SelectorToken[] = [];
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? "";
    if (BLANK.test(char)) {
      at += 1;
      continue;
    }
    const { token, length } = SYMBOL.test(char) ? symbolAt(text, at) : wordAt(text, at);
    tokens.push(token);
    at += length;
  }
  tokens.push({ kind: "end", text: "" });
  return tokens;
}

const BLANK = /[ \t\r\n]/;
const SYMBOL = /[=!(),><]/;
const SYMBOLS = new Set([")", ",", "!", "==", "=", ">", "<", "!=", "("]);

/** The longest symbol that is one; the API server reads on for as long as the characters make one. */
function symbolAt(text: string, start: number): { token: SelectorToken; length: number } {
  let read = "";
  let found = "";
  for (let at = start; SYMBOL.test(text[at] ?? ""); at += 1) {
    read += text[at];
    if (SYMBOLS.has(read)) found = read;
    else if (found) break;
  }
  const token = { kind: found as SelectorToken["kind"], text: found };
  return { token, length: found.length };
}

function wordAt(text: string, start: number): { token: SelectorToken; length: number } {
  let end = start;
  while (end < text.length && !BLANK.test(text[end] ?? "") && !SYMBOL.test(text[end] ?? "")) {
    end += 1;
  }
  const word = text.slice(start, end);
  const kind = word === "in" || word === "notin" ? word : "word";
  return { token: { kind, text: word }, length: end - start };
}
