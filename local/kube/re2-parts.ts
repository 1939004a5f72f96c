/** What a pattern is made of. */
export type Part =
  /** Takes one character: a class or a character, in JavaScript's syntax. */
  | { readonly atom: string }
  /** Takes none: an anchor, in JavaScript's syntax. */
  | { readonly between: string }
  | { readonly all: readonly Part[] }
  | { readonly either: readonly Part[] }
  | { readonly repeat: Part; readonly min: number; readonly max: number };

/** The parts of a pattern that `translate` made, which has nothing else than is read here. */
export function partsOfPattern(pattern: string): Part {
  return alternatives({ tokens: pattern.match(TOKEN) ?? [], at: 0 });
}

/** Anchors, groups, classes, escapes, repetitions; else one character. */
const TOKEN =
  /\(\?<?!\[\^\\n\]\)|\(\?:|\[\^?\]|\[(?:\\.|[^\\\]])*\]|\\(?:u\{[^}]*\}|[pP]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|.)|\{\d+(?:,\d*)?\}\??|[*+?]\??|./gsu;

const BETWEEN = /^(?:\^|\$|\\[bB]|\(\?<?!.*)$/s;
const REPEAT = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??$/;

interface State {
  readonly tokens: readonly string[];
  at: number;
}

/** Up to the end of the group, which it takes, too. */
function alternatives(state: State): Part {
  const either: Part[][] = [[]];
  while (state.at < state.tokens.length) {
    const token = state.tokens[state.at] ?? "";
    state.at += 1;
    if (token === ")") break;
    if (token === "|") either.push([]);
    else if (REPEAT.test(token)) repeatLast(either.at(-1) ?? [], token);
    else either.at(-1)?.push(partOf(token, state));
  }
  const parts = either.map((all): Part => ({ all }));
  return parts.length === 1 && parts[0] ? parts[0] : { either: parts };
}

function partOf(token: string, state: State): Part {
  if (token === "(" || token === "(?:") return alternatives(state);
  return BETWEEN.test(token) ? { between: token } : { atom: token };
}

function repeatLast(parts: Part[], token: string): void {
  const repeat = parts.pop() ?? { all: [] };
  const [min = 0, max = min] = [...token.matchAll(/\d+/g)].map(Number);
  if (token.startsWith("{")) {
    parts.push({ repeat, min, max: token.includes(",}") ? Number.POSITIVE_INFINITY : max });
    return;
  }
  const [least, most] = BOUNDS[token.charAt(0)] ?? [0, 1];
  parts.push({ repeat, min: least, max: most });
}

const BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  "*": [0, Number.POSITIVE_INFINITY],
  "+": [1, Number.POSITIVE_INFINITY],
  "?": [0, 1],
};
