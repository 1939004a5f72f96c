import { expect, test } from "@jest/globals";
import { cel, defineCrd, listAtomic, mapAtomic } from "tidegate/crd";
import * as z from "zod";
import { converted, crdOf, faultsOf, specOf, Widget } from "./convert.ts";

const open = { "x-kubernetes-preserve-unknown-fields": true, nullable: true };

test.each([
  ["string", z.string(), { type: "string" }],
  ["lengths", z.string().min(1).min(2).max(9), { type: "string", minLength: 2, maxLength: 9 }],
  ["odd lengths", z.string().min(-1).max(2.5), { type: "string", minLength: 0, maxLength: 2 }],
  [
    "endless lengths",
    z.array(z.int()).max(Infinity),
    { type: "array", items: { type: "integer" } },
  ],
  ["length", z.string().length(3), { type: "string", minLength: 3, maxLength: 3 }],
  ["pattern", z.string().regex(/^a\/b$/i), { type: "string", pattern: "(?i)^a\\/b$" }],
  [
    "patterns",
    z.string().regex(/a/).regex(/b/),
    { type: "string", pattern: "a", allOf: [{ pattern: "b" }] },
  ],
  ["start", z.string().startsWith("a.b"), { type: "string", pattern: "^a\\.b" }],
  ["end", z.string().endsWith("(x)"), { type: "string", pattern: "\\(x\\)$" }],
  ["within", z.string().includes("$"), { type: "string", pattern: "\\$" }],
  ["email", z.email(), { type: "string", format: "email" }],
  ["time", z.iso.datetime(), { type: "string", format: "date-time" }],
  ["base64", z.base64(), { type: "string", format: "byte" }],
  ["URL", z.url().max(9), { type: "string", format: "uri", maxLength: 9 }],
  ["ULID", z.ulid(), { type: "string", pattern: expect.any(String) }],
  ["UUID", z.uuid(), { type: "string", format: "uuid", pattern: expect.any(String) }],
  [
    "template",
    z.templateLiteral(["a-", z.enum(["b", "c"])]),
    { type: "string", pattern: "^a-(b|c)$" },
  ],
  ["number", z.number(), { type: "number" }],
  [
    "bounds",
    z.number().min(1).gt(1).max(5),
    { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 5 },
  ],
  ["whole", z.int(), { type: "integer" }],
  ["whole bounds", z.int().min(0.5).gt(-3).lt(7), { type: "integer", minimum: 1, maximum: 6 }],
  ["endless bounds", z.number().min(-Infinity).lt(Infinity), { type: "number" }],
  ["bounds beyond 64 bits", z.int().min(-1e20).max(1e20), { type: "integer" }],
  ["int32", z.int32(), { type: "integer", format: "int32" }],
  ["uint32", z.uint32(), { type: "integer", format: "int64", minimum: 0, maximum: 4294967295 }],
  ["multiple", z.int().multipleOf(5), { type: "integer", multipleOf: 5 }],
  ["boolean", z.boolean(), { type: "boolean" }],
  ["B40: enum", z.enum(["A", "B"]).optional(), { type: "string", enum: ["A", "B"] }],
  [
    "B40: enum or null",
    z.enum(["A"]).nullable().default("A").describe("An A."),
    { type: "string", enum: ["A"], nullable: true, default: "A", description: "An A." },
  ],
  ["literals", z.literal([1, 2]), { type: "integer", enum: [1, 2] }],
  ["literal numbers", z.literal([1, 2.5]), { type: "number", enum: [1, 2.5] }],
  ["literal true", z.literal(true), { type: "boolean", enum: [true] }],
  [
    "list",
    z.array(z.string().default("x")).min(1).max(2),
    { type: "array", minItems: 1, maxItems: 2, items: { type: "string" } },
  ],
  [
    "record",
    z.record(z.string(), z.int()),
    { type: "object", additionalProperties: { type: "integer" } },
  ],
  [
    "record of names",
    z.record(z.enum(["a", "b"]), z.int()),
    {
      type: "object",
      required: ["a", "b"],
      properties: { a: { type: "integer" }, b: { type: "integer" } },
    },
  ],
  [
    "partial record",
    z.partialRecord(z.enum(["a"]), z.int()),
    { type: "object", properties: { a: { type: "integer" } } },
  ],
  ["strict object", z.strictObject({}), { type: "object" }],
  [
    "loose object",
    z.looseObject({}),
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  ],
  ["unknown", z.unknown(), open],
  ["any", z.any(), open],
  ["readonly", z.array(z.string()).readonly(), { type: "array", items: { type: "string" } }],
  ["nonoptional", z.string().optional().nonoptional(), { type: "string" }],
  ["lazy", z.lazy(() => z.string()), { type: "string" }],
  [
    "pipe",
    z.string().min(2).pipe(z.string().max(3)),
    { type: "string", minLength: 2, maxLength: 3 },
  ],
  [
    "B43: both",
    z.object({ a: z.string().min(1) }).and(z.object({ a: z.string().max(3), b: z.int() })),
    {
      type: "object",
      required: ["a", "b"],
      properties: { a: { type: "string", minLength: 1, maxLength: 3 }, b: { type: "integer" } },
    },
  ],
  [
    "default",
    z.object({ a: z.int() }).default({ a: 1 }),
    { type: "object", required: ["a"], properties: { a: { type: "integer" } }, default: { a: 1 } },
  ],
  [
    "prefault",
    z.object({ a: z.int().default(3) }).prefault({}),
    { type: "object", properties: { a: { type: "integer", default: 3 } }, default: { a: 3 } },
  ],
  [
    "refine beside a rule",
    z
      .string()
      .refine(() => true)
      .check(cel("true", "x")),
    { type: "string", "x-kubernetes-validations": [{ rule: "true", message: "x" }] },
  ],
  [
    "titles",
    z.string().meta({ title: "T", description: "D", examples: ["e"], deprecated: true }),
    { type: "string", title: "T", description: "D" },
  ],
  [
    "keywords of Kubernetes",
    z.object({}).meta({ "x-kubernetes-map-type": "atomic" }),
    { type: "object", "x-kubernetes-map-type": "atomic" },
  ],
])("%s", (_, schema, expected) => {
  expect(converted(schema)).toEqual(expected);
});

test("a number with a fractional bound has a rule, for the API server compares whole parts", () => {
  expect(converted(z.number().gt(-0.5).max(7.5))).toEqual({
    type: "number",
    minimum: -1,
    maximum: 8,
    "x-kubernetes-validations": [
      { rule: "self > -0.5", message: "must be > -0.5" },
      { rule: "self <= 7.5", message: "must be <= 7.5" },
    ],
  });
});

test("a number with a bound beyond 64 bits has a rule, for the API server has no such bounds", () => {
  expect(
    converted(
      z
        .number()
        .min(-1e21)
        .lt(2 ** 63),
    ),
  ).toEqual({
    type: "number",
    "x-kubernetes-validations": [
      { rule: "self >= -1e+21", message: "must be >= -1e+21" },
      { rule: "self < 9223372036854776000.0", message: "must be < 9223372036854776000" },
    ],
  });
});

test.each([
  [z.date(), "z.date() has no form; use z.iso.datetime(): times in JSON are strings"],
  [z.bigint(), "z.bigint() has no form"],
  [z.map(z.string(), z.string()), "z.map() has no form; use z.record(z.string(), ...)"],
  [z.set(z.string()), "z.set() has no form; use z.array(...).check(listSet())"],
  [z.nan(), "z.nan() has no form"],
  [z.never(), "z.never() has no form"],
  [z.null(), "z.null() has no form"],
  [z.undefined(), "z.undefined() has no form"],
  [z.symbol(), "z.symbol() has no form"],
  [z.custom(), "z.custom() has no form"],
  [z.tuple([z.string()]), "z.tuple() has no form"],
  [z.string().transform((text) => text.length), "z.transform() has no form"],
  [z.preprocess((text) => text, z.string()), "z.transform() has no form"],
  [z.stringbool(), "z.transform() has no form"],
  [z.string().catch("x"), "z.catch() has no form"],
  [z.coerce.string(), "does not convert values to strings; use z.string()"],
  [z.coerce.number(), "does not convert values to numbers; use z.number()"],
  [z.coerce.boolean(), "does not convert values to booleans; use z.boolean()"],
  [z.string().trim(), "the check overwrite has no form here"],
  [
    z.string().refine(() => true),
    "cannot run the code of refine(); say the same in .check(cel(...))",
  ],
  [z.object({}).superRefine(() => {}), "cannot run the code of refine()"],
  [z.string().regex(/^(?=a)/), "have no look-around"],
  [z.string().regex(/(a)\1/), "have no references back"],
  [z.string().regex(/a{1001}/), "have no more than 1000 repeats"],
  [z.iso.duration(), "use duration() of tidegate/crd"],
  [z.iso.datetime({ local: true }), "times with a zone only"],
  [z.httpUrl(), "use z.url().regex(...)"],
  [z.emoji(), "cannot check emoji"],
  [z.jwt(), "cannot check jwt"],
  [z.number().multipleOf(0.1), "multiples of 0.1"],
  [z.literal(["a", 1]), "literals of several types"],
  [z.record(z.string().regex(/a/), z.int()), "does not check the names of a record"],
  [z.object({}).catchall(z.int()), "fields that are known beside others of one type"],
  [z.union([z.string(), z.boolean()]), "a union of these has no form"],
  [z.union([z.number(), z.string()]), "a union of these has no form"],
  [z.xor([z.object({ a: z.int() }), z.object({ b: z.int() })]), "z.xor() has no form"],
  [
    z.object({ a: z.int() }).and(z.object({ a: z.string() })),
    "both sides say something else of type",
  ],
  [z.string().default(() => String(Math.random())), "another one each time"],
  [z.object({ a: z.string().optional() }).default({ a: "x", b: 1 } as never), "use .prefault()"],
  [z.string().max(1).default("xx"), "the default is not valid"],
  [z.string().nullable().default(null), "fills in no default of null"],
  [z.unknown().check(cel("true", "x")), "rules know nothing of a value of any type"],
  [z.json(), "a schema within itself has no form"],
  [z.number().min(Number.NaN), "no number is within the bound NaN"],
  [z.number().gt(Infinity), "no number is within the bound Infinity"],
  [z.int().max(-1e20), "no number is within the bound -100000000000000000000"],
  [z.int().multipleOf(1e22), "multiples of 1e+22"],
  [z.string().max(-1), "no length is within -1"],
  [z.string().length(1.5), "no length is within 1.5"],
  [z.array(z.int()).min(3).max(2), "no length is within 3, 2"],
  [z.array(z.int()).max(Number.NaN), "no length is within NaN"],
  [z.literal([1, Number.NaN]), "the value NaN is none of JSON; leave it out"],
  [z.literal(Infinity), "the value Infinity is none of JSON"],
  [z.literal("\ud800"), "is none of JSON"],
  [z.string().check(mapAtomic() as never), "mapAtomic() is of objects; use it on z.object()"],
  [z.string().check(listAtomic() as never), "atomic is the type of a list; use it on z.array()"],
])("rejects what has no form, naming what to write instead (%#)", (schema, text) => {
  expect(faultsOf(schema).join("\n")).toContain(text);
  expect(faultsOf(schema).join("\n")).toMatch(/^spec\.it[^:]*: .*; /);
});

test("a schema within itself is told where it comes again", () => {
  const tree = z.object({
    name: z.string(),
    get children() {
      return z.array(tree).optional();
    },
  });
  expect(faultsOf(tree)).toEqual([
    "spec.it.children[*]: a schema within itself has no form; use z.unknown() there",
  ]);
});

test("one schema in two places is no recursion", () => {
  const port = z.int().min(1);
  const { properties } = specOf(crdOf({ a: port, b: z.object({ c: port }) }));
  expect(properties?.a).toEqual(properties?.b?.properties?.c);
});

test("all faults are told at once, each with its path", () => {
  const spec = () => z.object({ a: z.date(), b: z.array(z.object({ c: z.bigint() })) });
  const status = () => z.object({ d: z.record(z.string(), z.nan()) });
  expect(() => defineCrd(Widget, { spec, status })).toThrow(
    /^cannot make the CustomResourceDefinition of Widget of shop\.example\.com\/v1:\n {2}spec\.a: .*\n {2}spec\.b\[\*\]\.c: .*\n {2}status\.d\.\*: .*$/,
  );
});
