import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { celProgram } from "../../local/cel/cel-program.ts";
import { type CelType, INT, objectType, STRING } from "../../local/cel/cel-type.ts";
import { CelError, type CelValue } from "../../local/cel/cel-value.ts";

const SELF = objectType(
  "selfType",
  new Map([
    ["count", INT],
    ["name", STRING],
  ]),
);
const VARIABLES = new Map<string, CelType>([["self", SELF]]);

function evaluated(source: string, self: Readonly<Record<string, CelValue>> = {}): CelValue {
  const program = celProgram(source, VARIABLES);
  if (!program.evaluate) throw new Error(program.faults ?? program.unknown);
  const variables = new Map<string, CelValue>([["self", new Map(Object.entries(self))]]);
  return program.evaluate(variables, { left: 10_000 });
}

const faultsOf = (source: string) => celProgram(source, VARIABLES).faults?.split("\n") ?? [];

test("a fault is told with its line, and a mark below its place", () => {
  expect(faultsOf("self.count == 1 && // count\n\tself.nosuch == 'ä'")).toEqual([
    "ERROR: <input>:2:6: undefined field 'nosuch'",
    " |  self.nosuch == 'ä'",
    " | .....^",
  ]);
});

test("wide characters before a fault are marked as wide", () => {
  expect(faultsOf("'ä' == self.count")[2]).toBe(" | .\uff0e..^");
});

test("a sign is found behind parentheses and comments that hold it", () => {
  expect(faultsOf("(self.count) // + +\n + 'a'")[0]).toMatch(/^ERROR: <input>:2:2: /);
});

test("an evaluation that uses up its steps ends", () => {
  expect(() => evaluated("lists.range(500).all(x, lists.range(500).all(y, true))")).toThrow(
    "operation cancelled: actual cost limit exceeded",
  );
});

test("a search that could take years is refused, and a plain one is not", () => {
  const name = "a".repeat(200);
  expect(() => evaluated("self.name.find('(a+)+$') == ''", { name })).toThrow(
    /could take too long/,
  );
  expect(evaluated("self.name.find('a+$') == self.name", { name })).toBe(true);
});

test("what the grammar's library does not read is told as unknown, not as a fault", () => {
  expect(celProgram("[?self.?name].size() == 1", VARIABLES).unknown).toMatch(/optional entries/);
  expect(celProgram("{?'a': self.?name}.size() == 1", VARIABLES).unknown).toMatch(/optional/);
  expect(celProgram("self.`a-b` == 1", VARIABLES).unknown).toMatch(/backquotes/);
});

interface Sum {
  readonly text: string;
  /** Undefined where the expression has no value. */
  readonly value: bigint | undefined;
}

const LARGEST = (1n << 63n) - 1n;

function combined(sign: string, a: Sum, b: Sum): Sum {
  const text = `(${a.text} ${sign} ${b.text})`;
  const [left, right] = [a.value, b.value];
  if (left === undefined || right === undefined) return { text, value: undefined };
  if ((sign === "/" || sign === "%") && right === 0n) return { text, value: undefined };
  const value = OPERATIONS[sign]?.(left, right) ?? 0n;
  return { text, value: value > LARGEST || value < -LARGEST - 1n ? undefined : value };
}

const OPERATIONS: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};

const { sum } = fc.letrec<{ sum: Sum }>((tie) => ({
  sum: fc.oneof(
    { maxDepth: 4 },
    fc
      .oneof(fc.bigInt(-5n, 5n), fc.bigInt(-LARGEST, LARGEST))
      .map((value) => ({ text: String(value), value })),
    fc
      .tuple(fc.constantFrom(...Object.keys(OPERATIONS)), tie("sum"), tie("sum"))
      .map(([sign, a, b]) => combined(sign, a, b)),
  ),
}));

/** "no value" in the place of none. */
function attempted(source: string): CelValue {
  try {
    return evaluated(source);
  } catch (error) {
    if (error instanceof CelError) return "no value";
    throw error;
  }
}

test("random sums have the values of 64-bit integers, and none where these overflow", () => {
  fc.assert(
    fc.property(sum, ({ text, value }) => {
      expect(attempted(text)).toBe(value ?? "no value");
    }),
  );
});

test("an operand that decides makes up for one without a value, on either side", () => {
  fc.assert(
    fc.property(sum, fc.boolean(), ({ text, value }, decides) => {
      const whole = `${decides} || ${text} == 0`;
      const turned = `${text} == 0 || ${decides}`;
      const expected = decides || (value === undefined ? "no value" : value === 0n);
      expect([attempted(whole), attempted(turned)]).toEqual([expected, expected]);
    }),
  );
});

const PARTS =
  "self self.name self.count 1 -1 1.5 'a' null true [] {} [1] {'a':1} ( ) [ ] . ? : + - * / % && || ! == < in ," +
  " .all(x, x) .map(x, x) .size() .matches('a') has(self.name) size( type( optional.of( .?name .value()";

test("any text is evaluated, refused or unknown; nothing else comes of it", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PARTS.split(" ")), { maxLength: 8 }), (parts) => {
      const { evaluate } = celProgram(parts.join(" "), VARIABLES);
      if (evaluate) attempted(parts.join(" "));
    }),
    { numRuns: 2_000 },
  );
});
