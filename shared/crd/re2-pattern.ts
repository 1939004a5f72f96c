export type Re2Pattern =
  | { readonly pattern: string; readonly fault?: undefined }
  | { readonly pattern?: undefined; readonly fault: string };

/**
 * The pattern of a JavaScript expression for the API server, whose RE2 has no look-around and no
 * references back. What it has no form for is answered as a fault.
 *
 * Both take the same texts, but for three: `\s` means fewer spaces to RE2, `.` takes "\r" there, and
 * a character beyond U+FFFF is one there.
 * https://github.com/google/re2/wiki/Syntax
 */
export function re2Pattern({ source, flags }: RegExp): Re2Pattern {
  if (flags.includes("v")) return { fault: "the flag v" };
  const parts = [...source.matchAll(PARTS)].map(([part]) => partOf(part, flags));
  const odd = parts.find((part) => part.fault !== undefined);
  if (odd) return odd;
  const kept = flags.replaceAll(/[^ims]/g, "");
  const pattern = parts.map((part) => part.pattern).join("");
  return { pattern: kept === "" ? pattern : `(?${kept})${pattern}` };
}

const ESCAPE =
  /\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[a-zA-Z]|\\[pP]\{[^}]*\}|\\k<[^>]*>|\\\d+|\\[\s\S]/;
const CLASS = /\[(?:\\[\s\S]|[^\]\\])*\]/;
const LOOK_AROUND = /\(\?<?[=!]/;
const REPEATS = /\{\d+(?:,\d*)?\}/;
const PARTS = new RegExp(
  `${CLASS.source}|${ESCAPE.source}|${LOOK_AROUND.source}|${REPEATS.source}|[\\s\\S]`,
  "g",
);
const IN_CLASS = new RegExp(`${ESCAPE.source}|[\\s\\S]`, "g");

/** What RE2 compiles. */
const MOST_REPEATS = 1000;

function partOf(part: string, flags: string): Re2Pattern {
  if (part.startsWith("\\")) return escapeOf(part, { flags, inClass: false });
  if (part.length === 1) return { pattern: part };
  if (part.startsWith("[")) return classOf(part, flags);
  if (part.startsWith("(")) return { fault: "look-around" };
  const repeats = part.match(/\d+/g) ?? [];
  const many = repeats.some((count) => Number(count) > MOST_REPEATS);
  return many ? { fault: `more than ${MOST_REPEATS} repeats` } : { pattern: part };
}

function classOf(text: string, flags: string): Re2Pattern {
  const [, not = "", body = ""] = /^\[(\^?)([\s\S]*)\]$/.exec(text) ?? [];
  if (body === "") return not ? { pattern: "[\\s\\S]" } : { fault: "class that takes nothing" };
  const parts = [...body.matchAll(IN_CLASS)].map(([part]) => {
    if (part === "[") return { pattern: "\\[" };
    return part.startsWith("\\") ? escapeOf(part, { flags, inClass: true }) : { pattern: part };
  });
  const odd = parts.find((part) => part.fault !== undefined);
  return odd ?? { pattern: `[${not}${parts.map((part) => part.pattern).join("")}]` };
}

function escapeOf(
  text: string,
  { flags, inClass }: { readonly flags: string; readonly inClass: boolean },
): Re2Pattern {
  const [, kind = "", rest = ""] = /^\\(.)(.*)$/s.exec(text) ?? [];
  const hex = /^\{?([0-9a-fA-F]+)\}?$/.exec(rest)?.[1];
  if (kind === "u" && hex !== undefined) return { pattern: `\\x{${hex}}` };
  if (kind === "x" && hex !== undefined) return { pattern: text };
  if (kind === "0" && rest === "") return { pattern: "\\x00" };
  if (kind === "c" && rest !== "")
    return { pattern: `\\x{${(rest.charCodeAt(0) % 32).toString(16)}}` };
  if (/p/i.test(kind) && flags.includes("u")) return propertyOf(text);
  if (/[k\d]/.test(kind)) return { fault: "references back" };
  if (kind === "b" && inClass) return { pattern: "\\x08" };
  if (/[dDwWsSbBnrtfv]/.test(kind)) return { pattern: text };
  return { pattern: /[a-zA-Z]/.test(kind) ? kind : text };
}

/** RE2 knows general categories by their short names, and scripts. */
function propertyOf(text: string): Re2Pattern {
  const [, kind, key = "", name = ""] = /^\\([pP])\{(\w+=)?([^}]*)\}$/.exec(text) ?? [];
  const category = /^([LMNPSZC][a-z]?)$/.test(name) && !/^(LC|Cn)$/.test(name);
  const script = /^(Script|sc)=$/.test(key) && name.length > 2;
  return (key === "" ? category : script) ? { pattern: `\\${kind}{${name}}` } : { fault: text };
}
