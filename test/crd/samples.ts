import * as fc from "fast-check";
import { duration, intOrString, quantity } from "tidegate/crd";
import * as z from "zod";
import type { Trial } from "./agreement.ts";
import { nearly, text } from "./sample-values.ts";

/** A schema with values that it takes. */
export interface Sample {
  readonly schema: z.ZodType;
  readonly value: fc.Arbitrary<unknown>;
  /** Whether rules in CEL are part of it. */
  readonly rules: boolean;
}

const of = (schema: z.ZodType, value: fc.Arbitrary<unknown>, rules = false): Sample => ({
  schema,
  value,
  rules,
});

const whole = fc.integer({ min: -9, max: 9 });
const pick = (...values: unknown[]) => fc.constantFrom(...values);

const scalar: fc.Arbitrary<Sample> = fc.oneof(
  fc.constantFrom(
    of(z.boolean(), fc.boolean()),
    of(z.string(), text()),
    of(z.string().regex(/^[a-c]{1,3}$/), fc.stringMatching(/^[a-c]{1,3}$/)),
    of(
      z
        .string()
        .regex(/a/i)
        .regex(/^[^b]*$/),
      pick("a", "ac", "1a"),
    ),
    of(
      z.string().startsWith("a"),
      text().map((rest) => `a${rest}`),
    ),
    of(
      z.string().endsWith("."),
      text().map((start) => `${start}.`),
    ),
    of(z.enum(["a", "b", "c"]), pick("a", "b", "c")),
    of(z.literal([1, 2]), pick(1, 2)),
    of(z.literal(true), fc.constant(true)),
    of(z.templateLiteral(["a-", z.enum(["b", "c"])]), pick("a-b", "a-c")),
    of(z.guid(), fc.uuid()),
    of(z.union([z.cidrv4(), z.literal("a")]), pick("10.0.0.0/8", "a")),
    of(z.int(), whole),
    of(
      z.number(),
      fc.oneof(
        whole,
        whole.map((value) => value + 0.5),
      ),
    ),
    of(z.int32(), pick(0, 2 ** 31 - 1, -(2 ** 31))),
    of(z.uint32(), pick(0, 2 ** 32 - 1)),
    of(
      z.int().multipleOf(3),
      whole.map((value) => value * 3),
    ),
    of(z.number().gt(-0.5).max(7.5), pick(0, 7.5, 1), true),
    of(intOrString(), fc.oneof(whole, text())),
    of(quantity(), pick(1, "500m", "1.5Gi", "2e3")),
    of(duration(), pick("0", "1h30m", "1.5s")),
    of(z.unknown(), fc.jsonValue({ maxDepth: 1 })),
  ),
  fc.tuple(fc.nat(3), fc.nat(3)).map(([minLength, more]) => {
    const maxLength = minLength + more;
    return of(z.string().min(minLength).max(maxLength), text({ minLength, maxLength }));
  }),
  fc.tuple(whole, fc.nat(5)).map(([min, more]) => {
    return of(
      z
        .number()
        .gt(min - 1)
        .lt(min + more + 1),
      fc.integer({ min, max: min + more }),
    );
  }),
);

const key = fc.constantFrom("a", "b", "in", "x-y", "d.e");
type Tie = (key: "sample") => fc.Arbitrary<Sample>;

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: "small", withCrossShrink: true, maxDepth: 3 },
    { weight: 3, arbitrary: scalar },
    { weight: 1, arbitrary: list(tie) },
    { weight: 1, arbitrary: record(tie) },
    { weight: 4, arbitrary: object(tie) },
    { weight: 2, arbitrary: union(tie) },
    { weight: 1, arbitrary: both(tie) },
  ),
}));

function list(tie: Tie): fc.Arbitrary<Sample> {
  return tie("sample").map(({ schema, value, rules }) => {
    return of(
      z.array(schema).min(1).max(3),
      fc.array(value, { minLength: 1, maxLength: 3 }),
      rules,
    );
  });
}

/** zod has no limit for records, and the API server wants one for rules. */
function record(tie: Tie): fc.Arbitrary<Sample> {
  const plain = tie("sample").filter(({ rules }) => !rules);
  return plain.map(({ schema, value }) => {
    const entries = fc.dictionary(key, value, { maxKeys: 3, noNullPrototype: true });
    return of(z.record(z.string(), schema), entries);
  });
}

/** A field: as it is, optional, nullable, or with a default. The API server takes no null of an enum. */
function field(tie: Tie): fc.Arbitrary<Sample & { readonly optional: boolean }> {
  return tie("sample").chain((one) =>
    fc.tuple(fc.nat(5), one.value).map(([how, value]) => {
      const { schema, rules } = one;
      const enumerated = /"(enum|literal|union)"/.test(JSON.stringify(schema._zod.def.type));
      if (how === 0 && !enumerated) {
        const orNull = fc.option(one.value, { nil: null });
        return { ...of(schema.nullable(), orNull, rules), optional: false };
      }
      if (how === 1) return { ...of(schema.optional(), one.value, rules), optional: true };
      if (how === 2 && value !== null && !one.schema.safeParse(value).error) {
        const filled = one.schema.parse(value);
        return { ...of(schema.default(filled as never), one.value, rules), optional: true };
      }
      if (how === 3 && value !== null) {
        return { ...of(schema.prefault(value as never), one.value, rules), optional: true };
      }
      return { ...one, optional: false };
    }),
  );
}

function object(tie: Tie): fc.Arbitrary<Sample> {
  const fields = fc.dictionary(key, field(tie), { maxKeys: 4, noNullPrototype: true });
  return fc.tuple(fields, fc.boolean()).map(([made, loose]) => {
    const entries = Object.entries(made);
    const shape = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]));
    const values = Object.fromEntries(entries.map(([name, { value }]) => [name, value]));
    const needed = entries.filter(([, { optional }]) => !optional).map(([name]) => name);
    const value = fc.record(values, { requiredKeys: needed, noNullPrototype: true });
    const rules = entries.some(([, each]) => each.rules);
    return of(loose ? z.looseObject(shape) : z.object(shape), value, rules);
  });
}

/** Each member has a field that it alone has, and must have; rules cannot name one of any type. */
function union(tie: Tie): fc.Arbitrary<Sample> {
  const typed = tie("sample").filter(({ schema }) => !ofAny(schema));
  return fc.tuple(typed, typed, fc.boolean()).map(([one, other, told]) => {
    const rules = one.rules || other.rules;
    const left = z.object({ left: one.schema });
    const right = z.object({ right: other.schema, more: z.int().optional() });
    const values = fc.oneof(
      fc.record({ left: one.value, ...(told && { t: fc.constant("l") }) }),
      fc.record({ right: other.value, ...(told && { t: fc.constant("r") }) }),
    );
    const value = values.map((each) => ({ ...each }));
    if (!told) return of(z.union([left, right]), value, true);
    const members = [
      left.extend({ t: z.literal("l") }),
      right.extend({ t: z.literal(["r", "s"]) }),
    ] as const;
    return of(z.discriminatedUnion("t", members), value, rules || told);
  });
}

function ofAny(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "array") return ofAny(def.element as z.core.$ZodType);
  if (def.type === "record") return ofAny(def.valueType as z.core.$ZodType);
  return def.type === "unknown";
}

function both(tie: Tie): fc.Arbitrary<Sample> {
  return fc.tuple(tie("sample"), tie("sample")).map(([one, other]) => {
    const schema = z.object({ one: one.schema }).and(z.object({ other: other.schema }));
    const value = fc.record({ one: one.value, other: other.value }, { noNullPrototype: true });
    return of(schema, value, one.rules || other.rules);
  });
}

/** A schema of a sample, with values that it takes or nearly takes. */
export const trial: fc.Arbitrary<Trial> = sample.chain(({ schema, value }) =>
  fc
    .array(value.chain(nearly), { minLength: 5, maxLength: 5 })
    // As JSON has them, which knows no -0.
    .map((values) => ({ schema, values: JSON.parse(JSON.stringify(values)) as unknown[] })),
);
