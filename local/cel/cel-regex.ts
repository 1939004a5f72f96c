import { re2 } from "../kube/re2.ts";
import { translate } from "../kube/re2-translate.ts";
import type { CelLibrary } from "./cel-library.ts";
import { CelError } from "./cel-value.ts";

/** Regular expressions in RE2's syntax. */
export const REGEX: CelLibrary = {
  matches: { "string.(string) bool": matches, "(string, string) bool": matches },
  find: {
    "string.(string) string": (text: string, pattern: string) => found(text, pattern, 1)[0] ?? "",
  },
  findAll: {
    "string.(string) list(string)": (text: string, pattern: string) =>
      found(text, pattern, Number.POSITIVE_INFINITY),
    "string.(string, int) list(string)": (text: string, pattern: string, most: bigint) =>
      found(text, pattern, most < 0n ? Number.POSITIVE_INFINITY : Number(most)),
  },
};

function matches(text: string, pattern: string): boolean {
  const { test, error } = re2(pattern);
  if (!test) throw new CelError(error ?? "error parsing regexp");
  return test(text);
}

function found(text: string, pattern: string, most: number): string[] {
  const { error } = re2(pattern);
  if (error !== undefined) throw new CelError(`Illegal regex: ${error}`);
  if (isCostly(text, pattern)) {
    throw new CelError(`looking for '${pattern}' in ${text.length} characters could take too long`);
  }
  const parts: string[] = [];
  for (const [part] of text.matchAll(new RegExp(translate(pattern), "gu"))) {
    if (parts.length >= most) break;
    parts.push(part);
  }
  return parts;
}

/** JavaScript's engine may try a way more for each way to divide a text between nested repetitions. */
function isCostly(text: string, pattern: string): boolean {
  return text.length > MOST_NESTED && /\)[*+{]/.test(pattern);
}

/** 2^20 ways take about 10 ms. */
const MOST_NESTED = 20;
