import * as fc from "fast-check";

// Values for schemas of samples: such as they take, such as they nearly take, and any.

/** Also with characters of two bytes, and of two UTF-16 units. */
export const text = (limits: { minLength?: number; maxLength?: number } = {}) =>
  fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "1", "é", "🙂"), maxLength: 6, ...limits });

/** No null, and no field that a schema has: see the listed differences. */
const anything = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.boolean(),
    fc.integer({ min: -9, max: 9 }),
    fc.integer({ min: -9, max: 9 }).map((value) => value + 0.5),
    text(),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("q", "r"), tie("value"), { maxKeys: 2, noNullPrototype: true }),
  ),
})).value;

/** The value as it is, with one change, or another one. */
export function nearly(value: unknown): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(value) },
    { weight: 4, arbitrary: fc.nat(30).chain((index) => changedAt(value, index)) },
    { weight: 1, arbitrary: anything },
  );
}

/** The part that many steps in, replaced; of an object also without one of its fields, or with one more. */
function changedAt(value: unknown, index: number): fc.Arbitrary<unknown> {
  if (typeof value !== "object" || value === null) return anything;
  const keys = Object.keys(value);
  const key = keys[index % (keys.length + 1)];
  if (Array.isArray(value)) {
    if (key === undefined) return anything.map((more) => [...value, more]);
    const at = Number(key);
    return changedAt(value[at], index >> 1).map((part) => value.with(at, part));
  }
  const fields = value as Record<string, unknown>;
  if (key === undefined) return anything.map((more) => ({ ...fields, zz: more }));
  const { [key]: part, ...others } = fields;
  return fc.oneof(
    fc.constant(others),
    changedAt(part, index >> 1).map((changed) => ({ ...fields, [key]: changed })),
  );
}
