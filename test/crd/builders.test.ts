import { expect, test } from "@jest/globals";
import {
  cel,
  conditions,
  duration,
  embedded,
  immutable,
  intOrString,
  listAtomic,
  listMap,
  listSet,
  mapAtomic,
  preserveUnknown,
  quantity,
} from "tidegate/crd";
import * as z from "zod";
import { converted, crdOf, faultsOf, specOf } from "./convert.ts";

test("values of Kubernetes have a form each", () => {
  expect(converted(intOrString())).toEqual({ "x-kubernetes-int-or-string": true });
  expect(converted(quantity())).toEqual({
    "x-kubernetes-int-or-string": true,
    pattern: expect.any(String),
  });
  expect(converted(duration())).toEqual({ type: "string", pattern: expect.any(String) });
  expect(converted(preserveUnknown())).toEqual({
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
  });
  expect(converted(embedded())).toEqual({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
    required: ["apiVersion", "kind"],
    properties: { apiVersion: { type: "string" }, kind: { type: "string" } },
  });
});

test.each([
  ["0", "500m", "1.5Gi", "12E", "1e3", "1E-3", "+4", "-.5", "5."],
  ["", "1 Gi", "Gi", "1K", "1ki", "1e", "0x1"],
])("zod takes quantities as %s, %s, %s, and no others", (...texts) => {
  const taken = texts.filter((text) => quantity().safeParse(text).success);
  expect(taken).toEqual(texts[0] === "0" ? texts : []);
});

test.each([
  ["0", "90s", "1h30m", "1.5h", ".5s", "3us", "2µs", "1h0m0.5s"],
  ["", "90", "1d", "-1s", "PT1H", "1h 30m"],
])("zod takes durations as %s, %s, %s, and no others", (...texts) => {
  const taken = texts.filter((text) => duration().safeParse(text).success);
  expect(taken).toEqual(texts[0] === "0" ? texts : []);
});

test("lists and objects have the type that a check gives them", () => {
  const item = z.object({ name: z.string(), port: z.int() });
  expect(converted(z.array(item).check(listMap("name", "port")))).toMatchObject({
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name", "port"],
  });
  expect(converted(z.array(z.string()).check(listSet()).optional())).toEqual({
    type: "array",
    "x-kubernetes-list-type": "set",
    items: { type: "string" },
  });
  expect(converted(z.array(item.check(mapAtomic())).check(listSet()))).toMatchObject({
    "x-kubernetes-list-type": "set",
    items: { "x-kubernetes-map-type": "atomic" },
  });
  expect(converted(z.array(item).check(listAtomic()))).toMatchObject({
    "x-kubernetes-list-type": "atomic",
  });
});

test("conditions are a list by type", () => {
  expect(converted(conditions())).toMatchObject({
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["type"],
    items: {
      required: ["type", "status", "reason", "message", "lastTransitionTime"],
      properties: { observedGeneration: { type: "integer" } },
    },
  });
});

test("rules stand on the schema that they are given to, in their order", () => {
  const schema = z
    .object({ min: z.int(), max: z.int() })
    .check(cel("self.min <= self.max", "min is more than max"))
    .optional()
    .check(cel("self.max < 10", { messageExpression: "string(self.max)", fieldPath: ".max" }));
  expect(converted(schema)?.["x-kubernetes-validations"]).toEqual([
    { rule: "self.min <= self.max", message: "min is more than max" },
    { rule: "self.max < 10", messageExpression: "string(self.max)", fieldPath: ".max" },
  ]);
  expect(schema.parse({ min: 3, max: 1 })).toEqual({ min: 3, max: 1 });
});

test("what is immutable can neither be added nor removed where it is optional", () => {
  const fixed = z.string().check(immutable());
  const rule = { rule: "self == oldSelf", message: "cannot be changed" };
  const spec = specOf(
    crdOf({ a: fixed, b: fixed.optional(), c: fixed.default("x"), in: fixed.optional() }),
  );
  expect(spec.properties?.a).toEqual({ type: "string", "x-kubernetes-validations": [rule] });
  expect(spec["x-kubernetes-validations"]).toEqual([
    { rule: "has(self.b) == has(oldSelf.b)", message: expect.stringContaining("b can") },
    { rule: "has(self.__in__) == has(oldSelf.__in__)", message: expect.stringContaining("in can") },
  ]);
});

test("rejects rules with the old value where the API server cannot tell which it was", () => {
  const item = z.object({ name: z.string(), kind: z.string().check(immutable()) });
  expect(faultsOf(z.array(item).check(listMap("name")))).toEqual([]);
  expect(faultsOf(z.record(z.string(), item))).toEqual([]);
  expect(faultsOf(z.array(item))).toEqual([
    "spec.it[*].kind: a rule with oldSelf cannot tell which item came from which; use .check(listMap(...)) on the list, or put the rule on the list",
  ]);
});

test.each([
  ["set", z.array(z.object({ a: z.string() })).check(listSet()), "compared as a whole"],
  [
    "set",
    z.array(z.array(z.int()).check(listSet())).check(listSet()),
    "leave the check of the lists",
  ],
  ["set", z.array(z.string().nullable()).check(listSet()), "cannot be null"],
  ["map", z.array(z.object({ a: z.string().optional() })).check(listMap("a")), "may be missing"],
  ["map", z.array(z.object({ a: z.string().nullable() })).check(listMap("a")), "may be null"],
  ["map", z.array(z.object({ a: z.array(z.int()) })).check(listMap("a")), "no scalar field"],
  ["map", z.array(z.object({ a: z.int() })).check(listMap("a", "a")), "names no key, or one twice"],
  ["map", z.array(z.object({})).check((listMap as () => never)()), "names no key, or one twice"],
])("rejects a list that is a %s of what cannot be told apart", (_, schema, text) => {
  expect(faultsOf(schema)).toEqual([expect.stringContaining(text)]);
});

test("items of a set, and keys of a list, may be a whole number or a string", () => {
  expect(faultsOf(z.array(intOrString()).check(listSet()))).toEqual([]);
  expect(faultsOf(z.array(z.object({ port: intOrString() })).check(listMap("port")))).toEqual([]);
});
