import { expect, test } from "@jest/globals";
import {
  type CrdVersionOptions,
  cel,
  crdChanges,
  defineCrd,
  listMap,
  mapAtomic,
} from "tidegate/crd";
import * as z from "zod";
import { crdOf, Widget } from "./convert.ts";

/** What is said of a field `it` that becomes another one, without its path. */
function changes(before: z.core.$ZodType, after: z.core.$ZodType): readonly string[] {
  const found = crdChanges(crdOf({ it: before }), crdOf({ it: after }));
  return found.map(({ path, change }) => `${path.replace(/^v1\.spec\.it/, "")}: ${change}`);
}

test.each([
  ["type", z.string(), z.int(), ": type changed from string to integer"],
  ["number", z.number(), z.int(), ": type changed from number to integer"],
  ["anything", z.unknown(), z.int(), ": type changed from anything to integer"],
  ["bound", z.int().max(50), z.int().max(10), ": maximum lowered from 50 to 10"],
  ["lower bound", z.int().min(0), z.int().min(2), ": minimum raised from 0 to 2"],
  ["new bound", z.string(), z.string().max(9), ": maxLength 9 is new"],
  ["pattern", z.string().regex(/a/), z.string().regex(/b/), ': pattern changed from "a" to "b"'],
  ["format", z.string(), z.ipv4(), ': format "ipv4" is new'],
  ["enum value", z.enum(["a", "b"]), z.enum(["a", "c"]), ': no longer takes "b"'],
  ["enum", z.string(), z.enum(["a"]), ': takes only ["a"]'],
  ["null", z.string().nullable(), z.string(), ": no longer takes null"],
  ["default", z.int().default(1), z.int().default(2), ": default changed from 1 to 2"],
  ["removed field", z.object({ a: z.int() }), z.object({}), ".a: removed: its values are dropped"],
  ["new field", z.object({}), z.object({ a: z.int() }), ".a: required, and has no default"],
  [
    "required",
    z.object({ a: z.int().optional() }),
    z.object({ a: z.int() }),
    ".a: required, and has no default",
  ],
  ["items", z.array(z.string()), z.array(z.string().max(3)), "[*]: maxLength 3 is new"],
  [
    "record",
    z.record(z.string(), z.int()),
    z.record(z.string(), z.string()),
    ".*: type changed from integer to string",
  ],
  ["unknown fields", z.looseObject({}), z.object({}), ": unknown fields are dropped"],
  [
    "rule",
    z.string(),
    z.string().check(cel("self != ''", "empty")),
    ": the rule self != '' is new",
  ],
  [
    "list type",
    z.array(z.object({ a: z.int() })),
    z.array(z.object({ a: z.int() })).check(listMap("a")),
    ": list type changed from atomic to map a",
  ],
  [
    "open object",
    z.looseObject({}),
    z.record(z.string(), z.int()),
    ".*: type changed from anything to integer",
  ],
  [
    "type of what was any field",
    z.looseObject({}),
    z.looseObject({ a: z.int().optional() }),
    ".a: type changed from anything to integer",
  ],
  [
    "type of what was one of the others",
    z.record(z.string(), z.int()),
    z.record(z.string(), z.int()).and(z.looseObject({ a: z.string().optional() })),
    ".a: type changed from integer to string",
  ],
  ["record", z.record(z.string(), z.int()), z.object({}), ".*: removed: dropped"],
  [
    "removed field that is named as those of each object",
    z.object({ a: z.int(), valueOf: z.int().optional() }),
    z.object({ a: z.int() }),
    ".valueOf: removed: its values are dropped",
  ],
  ["bound", z.number().max(9), z.number().lt(5), ": maximum lowered from 9 to 5"],
  ["bound", z.number().max(5), z.number().lt(5), ": exclusiveMaximum true is new"],
  ["factor", z.int().multipleOf(3), z.int().multipleOf(6), ": multipleOf changed from 3 to 6"],
  [
    "further pattern",
    z.string().regex(/a/),
    z.string().regex(/a/).regex(/b/),
    ': pattern "b" is new',
  ],
  [
    "rule",
    z.string().check(cel("oldSelf == self", "x")),
    z.string().check(cel("oldSelf == self", { message: "x", optionalOldSelf: true })),
    ": the rule oldSelf == self is asked of new values, too",
  ],
  [
    "map type",
    z.object({ a: z.int() }),
    z.object({ a: z.int() }).check(mapAtomic()),
    ": map type changed from granular to atomic",
  ],
])("names a %s that breaks", (_, before, after, text) => {
  expect(changes(before, after)).toEqual([text]);
});

test.each([
  [
    "wider",
    z.object({ a: z.int().max(5), b: z.enum(["x"]) }),
    z.object({ a: z.number().max(9), b: z.enum(["x", "y"]) }),
  ],
  ["more", z.object({}), z.object({ a: z.int().optional(), b: z.int().default(1) })],
  ["a string or a number", z.string(), z.union([z.int(), z.string()])],
  ["anything", z.object({ a: z.int() }), z.looseObject({})],
  ["told otherwise", z.string().describe("a"), z.string().describe("b")],
  ["a wider bound", z.number().max(5), z.number().lt(9)],
  ["a smaller factor", z.int().multipleOf(6), z.int().multipleOf(3)],
  ["without a pattern", z.string().regex(/a/).regex(/b/), z.string().regex(/b/)],
  [
    "of patterns in another order",
    z.string().regex(/a/).regex(/b/),
    z.string().regex(/b/).regex(/a/),
  ],
  [
    "of more alternatives",
    z.union([z.cidrv4(), z.literal("a")]),
    z.union([z.cidrv4(), z.literal("b"), z.literal("a")]),
  ],
  ["open", z.record(z.string(), z.int()), z.looseObject({})],
  ["any value", z.array(z.object({ a: z.int() })), z.unknown()],
  [
    "keys in another order",
    z.array(z.object({ a: z.int(), b: z.int() })).check(listMap("a", "b")),
    z.array(z.object({ a: z.int(), b: z.int() })).check(listMap("b", "a")),
  ],
  ["without a rule", z.string().check(cel("true", "x")), z.string()],
])("says nothing where a schema becomes %s", (_, before, after) => {
  expect(changes(before, after)).toEqual([]);
});

const spec = () => z.object({ replicas: z.int() });
const status = () => z.object({ replicas: z.int() });
const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
const versions = (names: Readonly<Record<string, Partial<CrdVersionOptions>>>, storage = "v1") =>
  defineCrd(Widget, {
    shortNames: ["wd"],
    versions: Object.fromEntries(
      Object.entries(names).map(([name, more]) => [name, { spec, status, ...more }]),
    ),
    storageVersion: storage,
  });

test("names versions, subresources and names that go", () => {
  const before = versions({ v1: { scale, selectableFields: [".spec.replicas"] }, v1beta1: {} });
  const after = defineCrd(Widget, { spec });
  expect(crdChanges(before, after)).toEqual([
    { path: "names", change: "wd is no name of it any more" },
    { path: "v1", change: expect.stringContaining("subresource status removed") },
    { path: "v1", change: expect.stringContaining("subresource scale removed") },
    { path: "v1.spec.replicas", change: "no longer selectable" },
    { path: "v1.status", change: "removed: its values are dropped" },
    { path: "v1beta1", change: "removed" },
  ]);
  expect(crdChanges(after, before)).toEqual([
    { path: "v1", change: expect.stringContaining("subresource status added") },
  ]);
});

test("names a version in which objects are stored, and another one to store in", () => {
  const before = versions({ v1: {}, v2: {} });
  expect(
    crdChanges({ ...before, status: { storedVersions: ["v2", "v1"] } }, versions({ v1: {} })),
  ).toEqual([
    { path: "v2", change: expect.stringContaining("the API server refuses that") },
    { path: "v2", change: "removed" },
  ]);
  expect(crdChanges(before, versions({ v1: {}, v2: {} }, "v2"))).toEqual([
    { path: "versions", change: expect.stringContaining("stored in v2 instead of v1") },
  ]);
  expect(crdChanges(before, versions({ v1: {}, v2: { served: false } }))).toEqual([
    { path: "v2", change: "no longer served" },
  ]);
});

test("names another scope", () => {
  const cluster = defineCrd({ ...Widget, scope: "Cluster" }, { spec });
  expect(crdChanges(defineCrd(Widget, { spec }), cluster)).toEqual([
    { path: "scope", change: expect.stringContaining("changed from Namespaced to Cluster") },
  ]);
});
