import { expect, test } from "@jest/globals";
import { jsonPatch } from "../../local/kube/json-patch.ts";
import { mergePatch } from "../../local/kube/merge-patch.ts";
import { refusal } from "./kube-apply-cases.ts";

const live = { data: { a: "1" }, list: ["x", "y"], "a/b~": 1 };
const unprocessable = {
  code: 422,
  reason: "Invalid",
  message: "the server rejected our request due to an error in our request",
};

test.each([
  [{ op: "add", path: "/data/b", value: null }, { data: { a: "1", b: null } }],
  [{ op: "add", path: "/list/1", value: "z" }, { list: ["x", "z", "y"] }],
  [{ op: "add", path: "/list/-", value: "z" }, { list: ["x", "y", "z"] }],
  [{ op: "add", path: "/list/-1", value: "z" }, { list: ["x", "y", "z"] }],
  [{ op: "replace", path: "/list/-1", value: "z" }, { list: ["x", "z"] }],
  [{ op: "replace", path: "/data/missing", value: "z" }, { data: { a: "1", missing: "z" } }],
  [{ op: "remove", path: "/list/-2" }, { list: ["y"] }],
  [
    { op: "move", from: "/data/a", path: "/list/0" },
    { data: {}, list: ["1", "x", "y"] },
  ],
  [{ op: "copy", from: "/data", path: "/more" }, { more: { a: "1" } }],
  [{ op: "test", path: "/a~1b~0", value: 1 }, {}],
  [{ op: "test", path: "/data/missing", value: null }, {}],
])("JSON patch does %j", (operation, changes) => {
  expect(jsonPatch(live, [operation])).toEqual({ ...live, ...changes });
});

test("a JSON patch leaves the live object as it was", () => {
  const before = structuredClone(live);
  jsonPatch(live, [
    { op: "remove", path: "/data/a" },
    { op: "add", path: "/list/-", value: "z" },
  ]);
  expect(live).toEqual(before);
});

test.each([
  { op: "remove", path: "/data/b" },
  { op: "add", path: "/none/b", value: 1 },
  { op: "add", path: "data", value: 1 },
  { op: "add", path: "/list/4", value: 1 },
  { op: "add", path: "/list/x", value: 1 },
  { op: "test", path: "/data/a", value: "2" },
  { op: "bogus", path: "/data" },
  { op: "add" },
  null,
])("JSON patch refuses %j with 422", (operation) => {
  const error = refusal(() => jsonPatch(live, [operation]));
  expect(error).toMatchObject(unprocessable);
});

test.each([
  [{ a: 1 }, "json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"],
  [[1], "json: cannot unmarshal number into Go value of type handlers.jsonPatchOp"],
  [
    [{ op: "add", path: 1 }],
    "json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string",
  ],
])("JSON patch refuses %j with 400", (operations, text) => {
  const error = refusal(() => jsonPatch(live, operations));
  expect(error).toMatchObject({
    code: 400,
    reason: "BadRequest",
    message: `error decoding patch: ${text}`,
  });
});

test("JSON patch refuses more than 10,000 operations with 413", () => {
  const operations = Array.from({ length: 10_001 }, () => ({
    op: "test",
    path: "/data/a",
    value: "1",
  }));
  expect(refusal(() => jsonPatch(live, operations)).code).toBe(413);
});

test.each([
  [{ data: { a: null, b: "2" } }, { ...live, data: { b: "2" } }],
  [{ data: null }, { list: live.list, "a/b~": 1 }],
  [{ list: [null, { x: null }] }, { ...live, list: [null, {}] }],
  [{ more: { x: null, y: { z: null, w: 1 } } }, { ...live, more: { y: { w: 1 } } }],
  [{ data: "text" }, { ...live, data: "text" }],
])("merge patch does %j", (patch, expected) => {
  expect(mergePatch(live, patch)).toEqual(expected);
});

test.each([
  [
    [],
    "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}",
  ],
  [
    "x",
    "error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}",
  ],
  [null, "Invalid JSON Patch"],
])("merge patch refuses %j with 400", (patch, message) => {
  expect(refusal(() => mergePatch(live, patch))).toMatchObject({ code: 400, message });
});
