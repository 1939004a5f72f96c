import { bracket } from "./re2-bracket.ts";
import { casesOf, literal, syntaxError, withFolded } from "./re2-class.ts";
import { escaped } from "./re2-escape.ts";

/**
 * A pattern of RE2 as one of JavaScript, to be compiled with the `u` flag. Throws with Go's words for
 * what RE2 does not know.
 */
export function translate(pattern: string): string {
  const state: State = { text: pattern, at: 0, open: [], flags: NO_FLAGS, out: [] };
  while (state.at < pattern.length) step(state);
  if (state.open.length > 0) throw syntaxError("missing closing )", pattern);
  return state.out.join("");
}

interface Flags {
  /** `i`: letters of both cases. */
  readonly i: boolean;
  /** `m`: ^ and $ match at lines. */
  readonly m: boolean;
  /** `s`: . matches \n too. */
  readonly s: boolean;
}

interface State {
  readonly text: string;
  at: number;
  /** The flags outside of each group that is open, and where it starts. */
  readonly open: { readonly flags: Flags; readonly at: number }[];
  flags: Flags;
  readonly out: string[];
  /** What was written last can be repeated; "repeat" for a repetition. */
  last?: "atom" | "repeat" | undefined;
}

/** Parts that match between characters. */
const NO_WIDTH = /^(?:\^|\$|\\[bB]|\(\?<?!\[\^\\n\]\))$/;

const NO_FLAGS: Flags = { i: false, m: false, s: false };

function step(state: State): void {
  const character = String.fromCodePoint(state.text.codePointAt(state.at) ?? 0);
  const repeat = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(state.text.slice(state.at));
  if (character === "(") openGroup(state);
  else if (character === ")") closeGroup(state);
  else if (character === "[") emit(state, bracket(state), "atom");
  else if (character === "\\") backslash(state);
  else if (repeat) repetition(state, repeat[0]);
  else plain(state, character);
}

function plain(state: State, character: string): void {
  const { flags } = state;
  state.at += character.length;
  if (character === "|") emit(state, "|", undefined);
  else if (character === "^") emit(state, flags.m ? "(?<![^\\n])" : "^", "atom");
  else if (character === "$") emit(state, flags.m ? "(?![^\\n])" : "$", "atom");
  else if (character === ".") emit(state, flags.s ? "[^]" : "[^\\n]", "atom");
  else emit(state, cased(state, character), "atom");
}

function emit(state: State, text: string, last: State["last"]): void {
  state.out.push(text);
  state.last = last;
}

/** A letter, in both cases if the flag says so. */
function cased({ flags }: State, character: string): string {
  const cases = flags.i ? casesOf(character) : [character];
  return cases.length > 1 ? `[${cases.join("")}]` : literal(character);
}

function repetition(state: State, text: string): void {
  if (state.last === undefined) throw syntaxError("missing argument to repetition operator", text);
  if (state.last === "repeat") {
    const before = /(?:[*+?]|\{[\d,]*\})\??$/.exec(state.text.slice(0, state.at))?.[0] ?? "";
    throw syntaxError("invalid nested repetition operator", `${before}${text}`);
  }
  const [min = 0, max = min] = [...text.matchAll(/\d+/g)].map(Number);
  if (min > 1000 || max > 1000 || min > max) throw syntaxError("invalid repeat count", text);
  state.at += text.length;
  // JavaScript cannot repeat what has no width; once is the same as often.
  const atom = state.out.pop() ?? "";
  state.out.push(NO_WIDTH.test(atom) ? `(?:${atom})` : atom);
  emit(state, text, "repeat");
}

function openGroup(state: State): void {
  const rest = state.text.slice(state.at);
  const named = /^\(\?P?<([A-Za-z0-9_]+)>/.exec(rest);
  if (named || !rest.startsWith("(?")) {
    pushGroup(state, "(", named?.[0].length ?? 1);
    return;
  }
  const flagged = /^\(\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest);
  if (!flagged) throw perlError(rest);
  const [text, on = "", off = "", end] = flagged;
  const flags = flagsOf(state.flags, on, off);
  if (end === ":") {
    pushGroup(state, "(?:", text.length);
    state.flags = flags;
    return;
  }
  state.at += text.length;
  state.flags = flags;
  state.last = undefined;
}

/** Go takes look-behind for a group whose name does not end. */
function perlError(rest: string): Error {
  const named = /^\(\?P?<[^>]*>?/.exec(rest)?.[0];
  if (named === undefined) {
    return syntaxError("invalid or unsupported Perl syntax", rest.slice(0, 3));
  }
  return syntaxError("invalid named capture", named.endsWith(">") ? named : rest);
}

function flagsOf(now: Flags, on: string, off: string): Flags {
  const set = (flag: keyof Flags) => (now[flag] || on.includes(flag)) && !off.includes(flag);
  return { i: set("i"), m: set("m"), s: set("s") };
}

function pushGroup(state: State, text: string, length: number): void {
  state.open.push({ flags: state.flags, at: state.out.length });
  state.at += length;
  emit(state, text, undefined);
}

/** The group becomes one part, so that it can be repeated. */
function closeGroup(state: State): void {
  const group = state.open.pop();
  if (!group) throw syntaxError("unexpected )", state.text);
  const inside = state.out.splice(group.at).join("");
  state.flags = group.flags;
  state.at += 1;
  emit(state, `${inside})`, "atom");
}

function backslash(state: State): void {
  const rest = state.text.slice(state.at);
  const quoted = /^\\Q([\s\S]*?)(?:\\E|$)/.exec(rest);
  if (quoted) {
    state.at += quoted[0].length;
    for (const character of quoted[1] ?? "") emit(state, cased(state, character), "atom");
    return;
  }
  const anchor = ANCHORS[rest.slice(0, 2)];
  if (anchor !== undefined) {
    state.at += 2;
    emit(state, anchor, "atom");
    return;
  }
  const found = escaped(rest);
  state.at += found.length;
  const { inside, character = "" } = found;
  const folded = inside && state.flags.i ? withFolded(inside) : inside;
  emit(state, folded === undefined ? cased(state, character) : `[${folded}]`, "atom");
}

const ANCHORS: Readonly<Record<string, string>> = {
  "\\A": "^",
  "\\z": "$",
  // Of ASCII words, where JavaScript's own with the `u` flag is the same.
  "\\b": "\\b",
  "\\B": "\\B",
};
