import { expect, test } from "@jest/globals";
import { intOrString } from "tidegate/crd";
import * as z from "zod";
import { converted, faultsOf } from "./convert.ts";

test("B42: branches that a field tells apart are one object with a rule each", () => {
  const schema = z.discriminatedUnion("type", [
    z.object({ type: z.literal("left"), leftValue: z.int() }),
    z.object({ type: z.literal("right"), rightValue: z.string().optional(), in: z.boolean() }),
  ]);
  expect(converted(schema)).toEqual({
    type: "object",
    required: ["type"],
    properties: {
      type: { type: "string", enum: ["left", "right"] },
      leftValue: { type: "integer" },
      rightValue: { type: "string" },
      in: { type: "boolean" },
    },
    "x-kubernetes-validations": [
      {
        rule: '!(self.type == "left") || (has(self.leftValue) && !has(self.rightValue) && !has(self.__in__))',
        message: "with type left expected { type, leftValue }",
      },
      {
        rule: '!(self.type == "right") || (!has(self.leftValue) && has(self.__in__))',
        message: "with type right expected { type, rightValue?, in }",
      },
    ],
  });
});

test("B41: objects of a union are lifted to the parent", () => {
  const schema = z.union([z.object({ foo: z.string() }), z.object({ bar: z.string() })]);
  expect(converted(z.record(z.string(), schema))?.additionalProperties).toEqual({
    type: "object",
    properties: { foo: { type: "string" }, bar: { type: "string" } },
    "x-kubernetes-validations": [
      {
        rule: "(has(self.foo) && !has(self.bar)) || (!has(self.foo) && has(self.bar))",
        message: "expected one of { foo }, { bar }",
      },
    ],
  });
});

test("a union within a union is one, and its own tag tells its branches apart", () => {
  const inner = z.discriminatedUnion("size", [
    z.object({ kind: z.literal("b"), size: z.literal("s"), small: z.int() }),
    z.object({ kind: z.literal("b"), size: z.literal("l"), large: z.int() }),
  ]);
  const schema = z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), inner]);
  expect(converted(schema)?.["x-kubernetes-validations"]).toEqual([
    {
      rule: expect.stringContaining(
        '(self.kind == "b" && has(self.size) && self.size == "s" && has(self.small)',
      ),
      message: "expected one of { kind }, { kind, size, small }, { kind, size, large }",
    },
  ]);
  expect(converted(schema)?.["x-kubernetes-validations"]).toHaveLength(1);
});

test("a loose member takes the fields of the others", () => {
  const schema = z.union([z.looseObject({ a: z.int() }), z.object({ b: z.int() })]);
  expect(converted(schema)).toMatchObject({
    "x-kubernetes-preserve-unknown-fields": true,
    "x-kubernetes-validations": [{ rule: "(has(self.a)) || (!has(self.a) && has(self.b))" }],
  });
});

test.each([
  ["null", z.union([z.string(), z.null()]), { type: "string", nullable: true }],
  ["undefined", z.union([z.string(), z.undefined()]), { type: "string" }],
  ["literals", z.union([z.literal("a"), z.enum(["b", "a"])]), { type: "string", enum: ["a", "b"] }],
  ["the wider", z.union([z.string().min(2), z.string()]), { type: "string" }],
  [
    "one type",
    z.union([z.ipv4(), z.string().max(2)]).nullable(),
    { type: "string", anyOf: [{ format: "ipv4" }, { maxLength: 2 }], nullable: true },
  ],
  ["number or string", intOrString(), { "x-kubernetes-int-or-string": true }],
  [
    "number or string in limits",
    z.union([z.int().min(1), z.string().max(9)]),
    { "x-kubernetes-int-or-string": true, minimum: 1, maxLength: 9 },
  ],
])("a union with %s", (_, schema, expected) => {
  expect(converted(schema)).toEqual(expected);
});

const tagged = (a: z.core.$ZodLooseShape, b: z.core.$ZodLooseShape) =>
  z.discriminatedUnion("t", [
    z.object({ t: z.literal("a"), ...a }),
    z.object({ t: z.literal("b"), ...b }),
  ]);

test("tags that are numbers are written as rules compare them", () => {
  const schema = z.discriminatedUnion("t", [
    z.object({ t: z.literal([1, 1.5]), a: z.int() }),
    z.object({ t: z.literal([2.5, -2]), b: z.int() }),
  ]);
  expect(converted(schema)?.["x-kubernetes-validations"]?.map(({ rule }) => rule)).toEqual([
    "!(self.t in [1.0, 1.5]) || (has(self.a) && !has(self.b))",
    "!(self.t in [2.5, -2.0]) || (!has(self.a) && has(self.b))",
  ]);
});

test.each([
  [tagged({ v: z.int() }, { v: z.string() }), "spec.it.v: members of a union say different things"],
  [tagged({ v: z.int().default(1) }, {}), "spec.it.v: a default is filled in whatever the branch"],
  [tagged({ v: z.int().nullable() }, {}), "spec.it.v: a rule cannot tell null from a field"],
  [tagged({ v: z.unknown().optional() }, {}), "spec.it.v: rules cannot name a field of any type"],
  [
    tagged({ v: z.array(z.record(z.string(), z.any())) }, {}),
    "spec.it.v: rules cannot name a field",
  ],
  [tagged({ "a b": z.int() }, {}), "spec.it.a b: rules cannot name this field; rename it"],
  [
    z.union([z.record(z.string(), z.int()), z.object({})]),
    "spec.it: a member of a union has rules",
  ],
  [z.union([z.array(z.int()), z.array(z.string())]), "spec.it: a union of these has no form"],
  [z.union([z.int().nullable(), z.boolean()]), "spec.it: a union of these has no form"],
])("rejects members that do not go together, naming the field (%#)", (schema, text) => {
  expect(faultsOf(schema)).toEqual([expect.stringContaining(text)]);
});
