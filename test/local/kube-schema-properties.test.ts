import { expect, test } from "@jest/globals";
import * as fc from "fast-check";
import type { Schema } from "../../local/kube/schema.ts";
import { withDefaults, withoutNulls } from "../../local/kube/schema-defaults.ts";
import { prune, unknownFields } from "../../local/kube/schema-prune.ts";
import { validateValue } from "../../local/kube/schema-validate.ts";

/** A schema with values that it takes. */
interface Sample {
  readonly schema: Schema;
  readonly value: fc.Arbitrary<unknown>;
}

const key = fc.constantFrom("a", "b", "c", "kind", "x.y", "ü");

const scalar: fc.Arbitrary<Sample> = fc.oneof(
  fc.constant({ schema: { type: "boolean" } as const, value: fc.boolean() }),
  fc.integer({ min: -5, max: 5 }).map((minimum) => ({
    schema: { type: "integer", minimum, maximum: minimum + 9, default: minimum } as const,
    value: fc.integer({ min: minimum, max: minimum + 9 }),
  })),
  fc.nat(5).map((maxLength) => ({
    schema: { type: "string", maxLength } as const,
    value: fc.string({ unit: "grapheme-ascii", maxLength }),
  })),
  fc.constant({
    schema: { type: "string", pattern: "^[a-c]{1,3}$", default: "a" } as const,
    value: fc.stringMatching(/^[a-c]{1,3}$/),
  }),
  fc.constant({
    schema: { "x-kubernetes-int-or-string": true } as const,
    value: fc.oneof(fc.integer(), fc.string()),
  }),
);

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof({ depthSize: "small", withCrossShrink: true }, scalar, list(tie), object(tie)),
}));

function list(tie: (key: "sample") => fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return tie("sample").map(({ schema, value }) => ({
    schema: { type: "array", items: schema, maxItems: 3 },
    value: fc.array(value, { maxLength: 3 }),
  }));
}

function object(tie: (key: "sample") => fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc.dictionary(key, tie("sample"), { maxKeys: 4, noNullPrototype: true }).map((fields) => {
    const entries = Object.entries(fields);
    return {
      schema: {
        type: "object",
        properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
      },
      value: fc.record(Object.fromEntries(entries.map(([name, { value }]) => [name, value])), {
        requiredKeys: [],
        noNullPrototype: true,
      }),
    };
  });
}

const pair = sample.chain(({ schema, value }) => value.map((each) => ({ schema, value: each })));
const anything = fc.tuple(sample, fc.jsonValue()).map(([{ schema }, value]) => ({ schema, value }));

test("what is made by a schema is valid by it", () => {
  fc.assert(
    fc.property(pair, ({ schema, value }) => {
      expect(validateValue(schema, value, "")).toEqual([]);
    }),
  );
});

test("defaults leave what is valid valid, are filled in once, and then share all of it", () => {
  fc.assert(
    fc.property(pair, ({ schema, value }) => {
      const filled = withDefaults(schema, value);
      expect(validateValue(schema, filled, "")).toEqual([]);
      expect(withDefaults(schema, filled)).toBe(filled);
    }),
  );
});

test("after pruning there are no unknown fields, whatever the value, and pruning again shares all of it", () => {
  fc.assert(
    fc.property(anything, ({ schema, value }) => {
      const pruned = prune(schema, value);
      expect(unknownFields(schema, pruned)).toEqual([]);
      expect(prune(schema, pruned)).toBe(pruned);
    }),
  );
});

test("nothing is changed in place", () => {
  fc.assert(
    fc.property(anything, ({ schema, value }) => {
      const before = JSON.stringify(value);
      withDefaults(schema, withoutNulls(schema, prune(schema, value)));
      validateValue(schema, value, "");
      expect(JSON.stringify(value)).toBe(before);
    }),
  );
});

const replicas: Schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: { a: { type: "integer", maximum: 5 }, b: { type: "string" } },
    },
  },
};

test("faults of what an update does not change are forgiven", () => {
  const before = { spec: { a: 9, b: "x" } };
  expect(validateValue(replicas, { spec: { a: 9, b: "y" } }, "", before)).toEqual([]);
  expect(validateValue(replicas, { spec: { a: 8, b: "x" } }, "", before)).toHaveLength(1);
});

test("a part is named by its own path in the text, and by the whole one as the field", () => {
  const schema: Schema = { type: "object", properties: { n: { type: "integer", maximum: 5 } } };
  expect(validateValue(schema, { n: 6 }, "status")).toEqual([
    {
      reason: "FieldValueInvalid",
      message: "Invalid value: 6: n in body should be less than or equal to 5",
      field: "status.n",
    },
  ]);
});
