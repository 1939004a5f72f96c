import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { re2 } from "../../local/kube/re2.ts";
import { linearTest } from "../../local/kube/re2-linear.ts";
import { translate } from "../../local/kube/re2-translate.ts";

/** JavaScript's own engine would try 2 to the power of the length. */
const LONG = "a".repeat(5_000);

test.each([
  ["^(a+)+$", `${LONG}!`, false],
  ["^(a+)+$", LONG, true],
  ["^(a|a)*$", `${LONG}!`, false],
  ["^(a|aa)+$", `${LONG}!`, false],
  ["^([a-z0-9]+(-[a-z0-9]+)*)+$", `${LONG}_`, false],
  ["(x+x+)+y", "x".repeat(5_000), false],
  ["^(\\w+\\s?){1,60}$", `${"a".repeat(500)}!`, false],
  ["a*a*a*a*a*b", "a".repeat(2_000), false],
])("finds %s in a long text in moments", (pattern, text, found) => {
  expect(re2(pattern).test?.(text)).toBe(found);
});

test.each([
  ["^a{2,3}$", ["a", "aa", "aaa", "aaaa"], ["aa", "aaa"]],
  ["^(?:ab?){2}$", ["a", "aa", "aba", "abab", "ababa"], ["aa", "aba", "abab"]],
  ["^(a{0}|b{2,})$", ["", "a", "b", "bb", "bbb"], ["", "bb", "bbb"]],
  ["(?m)^b$", ["b", "a\nb\nc", "ab"], ["b", "a\nb\nc"]],
  ["\\bcat\\b", ["a cat", "cats", "cat"], ["a cat", "cat"]],
  ["^.$", ["\u{1F600}", "ab", "\n"], ["\u{1F600}"]],
  ["^[^a-c\\]]+$", ["d]", "de", "a"], ["de"]],
  ["^\\p{Greek}+\\.\\{$", ["\u03b1.{", "a.{"], ["\u03b1.{"]],
  ["(?i)^[k-m]\\x41$", ["Ka", "LA", "na"], ["Ka", "LA"]],
  ["", ["", "a"], ["", "a"]],
])("reads %s without going back, too", (pattern, texts, found) => {
  const linear = linearTest(translate(pattern));
  expect(texts.filter((text) => linear?.(text))).toEqual(found);
});

const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w", "\\b", "^", "$", "\\.");
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof({ depthSize: "small", withCrossShrink: true }, atom, tie("pattern")),
  pattern: fc
    .array(
      fc.tuple(tie("part"), fc.constantFrom("", "", "*", "+?", "?", "{2}", "{0,2}", "{1,}", "|")),
    )
    .map((parts) => `(${parts.map(([part, after]) => `(?:${part})${after}`).join("")})`),
}));
const text = fc.string({ unit: fc.constantFrom("a", "b", ".", "\n"), maxLength: 6 });

test("answers as JavaScript's engine does, where that takes moments", () => {
  fc.assert(
    fc.property(pattern, text, (given, within) => {
      const translated = translate(given);
      const expected = new RegExp(translated, "u").test(within);
      expect(linearTest(translated)?.(within)).toBe(expected);
    }),
    { numRuns: 500 },
  );
});
