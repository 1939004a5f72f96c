import { expect, test } from "@jest/globals";
import { compareText } from "../../local/kube/fields-element.ts";
import { decodeSet, encodeSet } from "../../local/kube/fields-json.ts";
import {
  difference,
  intersection,
  isEmptySet,
  pathsOf,
  pathText,
  recursiveDifference,
  union,
} from "../../local/kube/fields-set.ts";

const set = (json: object) => decodeSet(json);

test("a set reads and writes FieldsV1, in the order of kube-apiserver", () => {
  const json = {
    "f:spec": { ".": {}, "f:b": {}, "f:a": {} },
    "f:list": { 'k:{"port":10,"name":"x"}': {}, 'k:{"name":"x","port":9}': { ".": {}, "f:p": {} } },
    "f:set": { "v:10": {}, "v:9": {}, 'v:"a<b"': {} },
    "f:atomic": { "i:10": {}, "i:9": {} },
  };
  expect(JSON.stringify(encodeSet(set(json)))).toBe(
    JSON.stringify({
      "f:atomic": { "i:9": {}, "i:10": {} },
      "f:list": {
        'k:{"name":"x","port":9}': { ".": {}, "f:p": {} },
        'k:{"name":"x","port":10}': {},
      },
      "f:set": { "v:9": {}, "v:10": {}, 'v:"a\\u003cb"': {} },
      "f:spec": { ".": {}, "f:a": {}, "f:b": {} },
    }),
  );
});

test("steps of unknown kinds are dropped, other keys are refused", () => {
  expect(encodeSet(set({ "q:x": {}, "f:a": {} }))).toEqual({ "f:a": {} });
  expect(() => set({ zz: {} })).toThrow("missing colon: zz");
  expect(() => set({ a: {} })).toThrow("key must be 2 characters long:");
});

test("paths are printed as in conflicts", () => {
  const json = { "f:a": { 'k:{"port":80,"name":"x"}': { "f:p": {} }, 'v:"s"': {}, "i:3": {} } };
  expect(pathsOf(set(json)).map(pathText)).toEqual(['.a[="s"]', ".a[3]", '.a[name="x",port=80].p']);
});

test.each([
  ["union", union, { "f:a": { ".": {}, "f:b": {}, "f:c": {} }, "f:d": {} }],
  ["intersection", intersection, { "f:a": { "f:b": {} } }],
  ["difference", difference, { "f:a": { "f:c": {} } }],
  ["recursive difference", recursiveDifference, {}],
] as const)("%s of sets", (_, operation, expected) => {
  const a = set({ "f:a": { "f:b": {}, "f:c": {} } });
  const b = set({ "f:a": { ".": {}, "f:b": {} }, "f:d": {} });
  const result = operation(a, b);
  expect(encodeSet(result)).toEqual(expected);
  expect(isEmptySet(result)).toBe(Object.keys(expected).length === 0);
});

test("a plain difference keeps what is below a removed parent", () => {
  const a = set({ "f:a": { ".": {}, "f:b": {} } });
  expect(encodeSet(difference(a, set({ "f:a": {} })))).toEqual({ "f:a": { "f:b": {} } });
});

test("names are in the order of their bytes in UTF-8", () => {
  expect(["\u{1f600}", "\uff00", "z", "é"].sort(compareText)).toEqual([
    "z",
    "é",
    "\uff00",
    "\u{1f600}",
  ]);
});
