import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { scanJson } from "../../local/kube/json-scan.ts";
import { yamlBodyOf } from "../../local/kube/yaml-body.ts";

const again = (text: string) =>
  scanJson(text)
    .filter((field) => field.again)
    .map(({ path }) => path);

test("fields that stand twice are found where they stand again", () => {
  expect(again('{"a":1,"b":{"c":1,"c":2},"a":3}')).toEqual(["b.c", "a"]);
  expect(again('[{"op":"x"},{"op":"y","op":"z"}]')).toEqual(["[1].op"]);
  expect(again('{"a":1,"\\u0061":2}')).toEqual(["a"]);
  expect(again('{"a":{"x":1},"b":{"x":1}}')).toEqual([]);
});

test.each([
  ["", "unexpected end of JSON input"],
  ["{", "unexpected end of JSON input"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ["tru", "unexpected end of JSON input"],
  ["trux", "invalid character 'x' in literal true (expecting 'e')"],
  ["{} x", "invalid character 'x' after top-level value"],
  ["[1 2]", "invalid character '2' after array element"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ["'a'", "invalid character '\\'' looking for beginning of value"],
  ["[".repeat(2000), "exceeded max depth"],
])("what is wrong with %j is said as Go says it", (text, message) => {
  expect(() => scanJson(text)).toThrow(new SyntaxError(message));
});

const LETTERS = Array.from('{}[]",:\\ tfn01e-.u');

test("what JSON.parse reads is scanned, and nothing else", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(again(text)).toEqual([]);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...LETTERS) }), (text) => {
      let reads = true;
      try {
        JSON.parse(text);
      } catch {
        reads = false;
      }
      if (reads) scanJson(text);
      else expect(() => scanJson(text)).toThrow(SyntaxError);
    }),
    { numRuns: 2000 },
  );
});

test("a key of YAML that stands twice is told, and its last value counts", () => {
  const { value, faults } = yamlBodyOf("a: 1\nb:\n  'x': 1\n  'x': 2\n");
  expect(value).toEqual({ a: 1, b: { x: 2 } });
  expect(faults).toEqual(['line 4: key "x" already set in map']);
});

test("aliases of YAML that multiply or never end are refused", () => {
  const bomb = ["a: &a [1,1,1,1,1,1,1,1,1,1]"];
  for (let level = 0; level < 9; level += 1) {
    const [name, next] = [String.fromCharCode(97 + level), String.fromCharCode(98 + level)];
    bomb.push(`${next}: &${next} [${`*${name},`.repeat(9)}*${name}]`);
  }
  expect(() => yamlBodyOf(bomb.join("\n"))).toThrow("document contains excessive aliasing");
  expect(() => yamlBodyOf("a: &a [*a]")).toThrow("document contains excessive aliasing");
});

test("times in YAML stay text, as in JSON", () => {
  expect(yamlBodyOf("at: 2020-01-01T00:00:00Z").value).toEqual({ at: "2020-01-01T00:00:00Z" });
});
