import { expect, test } from "@jest/globals";
import { re2 } from "../../local/kube/re2.ts";
import { re2Pattern } from "../../shared/crd/re2-pattern.ts";

/** As expressions, linters refuse them. */
const CLASS_OF_NONE = "[]";
const CLASS_OF_ALL = "[^]";

const TEXTS = [
  "",
  "a",
  "b",
  "[",
  "]",
  "-",
  "\b",
  "\u0000",
  "é",
  "É",
  "x1",
  "a-b",
  "{1}",
  "A\nb",
  "\\",
  "/",
];

test.each([
  new RegExp(`^${CLASS_OF_ALL}$`),
  /^[[]$/,
  /^[\]\\-]$/,
  /^[\b]$/,
  /^\u00e9$/i,
  /^\u{e9}$/u,
  /^\xe9$/,
  /^\0$/,
  /^\cH$/,
  /^\p{L}$/u,
  /^\P{Lu}$/u,
  /^\p{Script=Latin}$/u,
  /^(?<name>x)\d$/,
  /^a-b$/,
  /^a$/,
  /^\{1\}$/,
  /^A.b$/s,
  /^b$/m,
  /^\/$/,
  /^(?:a|b)??$/,
  /^[\w-]{1,3}$/,
])("RE2 takes the same texts as %s", (expression) => {
  const { pattern = "", fault } = re2Pattern(expression);
  expect(fault).toBeUndefined();
  const { test: taken, error } = re2(pattern);
  expect(error).toBeUndefined();
  expect(TEXTS.filter((text) => taken?.(text))).toEqual(
    TEXTS.filter((text) => expression.test(text)),
  );
});

test.each([
  [/(?=a)/, "look-around"],
  [/(?<!a)/, "look-around"],
  [/(a)\1/, "references back"],
  [/(?<n>a)\k<n>/, "references back"],
  [/a{2,1001}/, "more than 1000 repeats"],
  [new RegExp(CLASS_OF_NONE), "class that takes nothing"],
  [/\p{Emoji}/u, "\\p{Emoji}"],
  [/[a&&b]/v, "the flag v"],
])("has no form for %s: %s", (expression, fault) => {
  expect(re2Pattern(expression)).toEqual({ fault });
});
