import type { Schema } from "../../local/kube/schema.ts";

/** A schema, and values for which kube-apiserver's answers are in kube-schema-answers.json. */
export interface SchemaCase {
  readonly schema: Schema;
  readonly values: readonly unknown[];
}

const text: Schema = { type: "string" };
const keyed: Schema = {
  type: "object",
  required: ["name"],
  properties: { name: text, port: { type: "integer" } },
};

const formats: Readonly<Record<string, readonly string[]>> = {
  "date-time": [
    "2026-11-30T18:12:19Z",
    "2026-11-30t18:12:19.123456+01:00",
    "2026-11-30 18:12:19Z",
    "2026-02-29T00:00:00Z",
    "2026-11-30T24:00:00Z",
    "2026-11-30T18:12:19",
    "x",
  ],
  date: ["2026-11-30", "2026-13-01", "2028-02-29", "26-1-1"],
  duration: ["1h30m", "22 ns", "3 days", "1.5s", "-2us", "1", "0", "soon", "1x", "2 weeks"],
  byte: ["aGk=", "aGk", "a-_=", "", "!!!!"],
  email: ["a@b.example", "a@b", "Ann <a@b.example>", "a.b.example", "@b", "a@@b", "a b@c"],
  hostname: ["a.example", "-a.example", "a_b.example", "a..b", "localhost", "1.example", "a.b"],
  ipv4: ["10.0.0.1", "10.0.0.01", "10.0.0.256", "10.0.0", "::1", "::ffff:1.2.3.4"],
  ipv6: ["::1", "fe80::1", "10.0.0.1", "fe80::1%eth0", "::ffff:1.2.3.4", ":::"],
  cidr: ["10.0.0.0/8", "10.0.0.1/33", "10.0.0.0", "::/0", "fe80::/129", "10.0.0.0/-1"],
  mac: [
    "00:11:22:33:44:55",
    "00-11-22-33-44-55",
    "0011.2233.4455",
    "00:11:22",
    "00:11-22:33:44:55",
  ],
  uri: [
    "https://a.example/x?y=1",
    "/path",
    "a.example",
    "",
    "http://a b",
    "mailto:a@b.example",
    "x:%zz",
    "http://a:port/",
  ],
  uuid: [
    "123e4567-e89b-12d3-a456-426614174000",
    "123E4567E89B12D3A456426614174000",
    "123e4567",
    "123e4567-e89b-12d3-a456-42661417400g",
  ],
  uuid3: ["123e4567-e89b-32d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"],
  uuid4: ["123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-42d3-c456-426614174000"],
  uuid5: ["123e4567-e89b-52d3-a456-426614174000", "123e4567-e89b-42d3-a456-426614174000"],
  isbn: ["0321751043", "978-0321751041", "0321751044"],
  isbn10: ["0321751043", "978-0321751041"],
  isbn13: ["978-0321751041", "0321751043", "978-0321751042"],
  creditcard: ["4111 1111 1111 1111", "4111111111111112", "1234"],
  ssn: ["123-45-6789", "123 45 6789", "123456789", "12-345-6789"],
  hexcolor: ["#ffffff", "fff", "#ffff", "#ggg"],
  rgbcolor: ["rgb(255,255,255)", "rgb(256,0,0)", "rgb( 1 , 2 , 3 )", "red"],
  password: ["any"],
  bsonobjectid: ["507f1f77bcf86cd799439011", "507f1f77"],
  "k8s-short-name": ["a-b", "A", "a.b", "-a"],
  "k8s-long-name": ["a.b-c.d", "a..b", "A.b"],
  "no-such-format": ["x"],
};

export const schemaCases: readonly SchemaCase[] = [
  ...Object.entries(formats).map(([format, values]) => ({
    schema: { type: "string", format } as const,
    values: [...values, 5],
  })),
  // Types
  { schema: { type: "string" }, values: ["x", 5, 1.5, true, null, [], {}] },
  { schema: { type: "integer" }, values: [1, 1.5, "1", true, null, 2 ** 40, {}] },
  { schema: { type: "number" }, values: [1, 1.5, "1", null] },
  { schema: { type: "boolean" }, values: [true, "true", 0] },
  {
    schema: { type: "object", properties: { a: text } },
    values: [{}, [], "x", { a: 1 }, { b: 1 }],
  },
  { schema: { type: "array", items: text }, values: [[], ["a", 1], {}, "a", [null]] },
  {
    schema: { type: "integer", format: "int32" },
    values: [2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 1.5],
  },
  { schema: { type: "integer", format: "int64" }, values: [2 ** 40, 1.5, "x"] },
  { schema: { type: "number", format: "double" }, values: [1, 1.5, "x"] },
  { schema: { "x-kubernetes-int-or-string": true }, values: [1, "1", 1.5, true, {}, null] },
  {
    schema: { "x-kubernetes-int-or-string": true, pattern: "^\\d+%$", maximum: 10 },
    values: ["50%", "x", 11],
  },
  {
    schema: {
      "x-kubernetes-int-or-string": true,
      anyOf: [{ type: "integer" }, { type: "string" }],
    },
    values: [1, "1", true],
  },
  { schema: { type: "string", nullable: true }, values: [null, "x"] },
  { schema: { type: "string", nullable: true, enum: ["a"] }, values: [null, "b"] },
  { schema: { type: "string", nullable: true, default: "d" }, values: [null] },
  { schema: { type: "string", default: "d" }, values: [null, ""] },
  // Numbers
  { schema: { type: "integer", minimum: 1, maximum: 50 }, values: [0, 1, 50, 51] },
  {
    schema: {
      type: "integer",
      minimum: 1,
      exclusiveMinimum: true,
      maximum: 50,
      exclusiveMaximum: true,
    },
    values: [1, 2, 49, 50],
  },
  { schema: { type: "number", minimum: 0.5, maximum: 1.5 }, values: [0.25, 1.75, 1, 2, 0] },
  { schema: { type: "number", maximum: 0.00001 }, values: [0.00002, 1e21, 123456789.5] },
  { schema: { type: "integer", multipleOf: 5 }, values: [10, 11, 0] },
  { schema: { type: "number", multipleOf: 0.1 }, values: [0.3, 0.35, 1] },
  { schema: { type: "integer", maximum: 10_000_000 }, values: [10_000_001] },
  // Strings
  {
    schema: { type: "string", minLength: 2, maxLength: 3 },
    values: ["a", "ab", "abcd", "\u{1f600}\u{1f600}\u{1f600}", "\u{1f600}"],
  },
  { schema: { type: "string", maxLength: 1 }, values: ["ab"] },
  { schema: { type: "string", pattern: "^[a-z]+$" }, values: ["abc", "aBc", "a\n", 'q"\t\\', "ü"] },
  { schema: { type: "string", pattern: "(?i)^x-\\w+\\z" }, values: ["X-a", "x-ſ", "x-a\n"] },
  { schema: { type: "string", pattern: "\\A[[:alpha:]]{2,3}$" }, values: ["ab", "abcd", "ab\n"] },
  { schema: { type: "string", pattern: "^\\S+$" }, values: ["a\u00a0b", "a b", "\u000b"] },
  { schema: { type: "string", pattern: "^.$" }, values: ["\r", "\u2028", "\n", "\u{1f600}"] },
  {
    schema: { type: "string", pattern: "^(a|b)*c{2}[^\\d-]?\\.$" },
    values: ["abcc.", "ccx.", "cc-.", "c."],
  },
  { schema: { type: "string", pattern: "^\\p{Lu}\\pL*$" }, values: ["Äb", "äb"] },
  {
    schema: { type: "string", pattern: "a", minLength: 3, format: "ipv4" },
    values: ["b", "bcd", "abc"],
  },
  { schema: { type: "string", enum: ["a", "b"] }, values: ["a", "x", "", 5] },
  { schema: { type: "integer", enum: [1, 2] }, values: [1, 3, "1"] },
  {
    schema: { type: "string", pattern: "(?i)^[a-c]k[^s]$" },
    values: ["BKx", "B\u212ax", "bks", "bkS", "bk\u017f"],
  },
  {
    schema: { type: "string", pattern: "^(?:a|b(?P<n>c)?){2}\\Q.*\\E\\x41\\x{42}$" },
    values: ["abc.*AB", "a.*AB", "abcxxAB"],
  },
  { schema: { type: "string", pattern: "(?m)^b$" }, values: ["a\nb\nc", "ab"] },
  { schema: { type: "string", pattern: "(?s)^a.b$" }, values: ["a\nb", "a\nb\n"] },
  {
    schema: { type: "string", pattern: "^[\\w.+-]+@[^@\\s]+$" },
    values: ["a.b+c@d", "a b@c", "ü@c", "a@\u00a0"],
  },
  { schema: { type: "string", pattern: "^a{,2}b{1,}$" }, values: ["a{,2}b", "aab"] },
  { schema: { type: "string", pattern: "^[^[:space:]]{0,3}[]a-]$" }, values: ["xx]", "x-", " a"] },
  { schema: { type: "string", pattern: "\\bfoo\\b" }, values: ["a foo b", "afoo", "üfoo"] },
  {
    schema: { type: "string", pattern: "^(([a-z]+)/)?([0-9]+(s|m|h))+$" },
    values: ["a/1h2m", "1h", "/1h"],
  },
  // Arrays
  {
    schema: { type: "array", items: text, minItems: 1, maxItems: 2 },
    values: [[], ["a"], ["a", "b", "c"]],
  },
  { schema: { type: "array", items: text, maxItems: 1 }, values: [["a", "b"]] },
  {
    schema: { type: "array", items: text, "x-kubernetes-list-type": "set" },
    values: [
      ["a", "b"],
      ["a", "b", "a", "a"],
      [1, 1],
    ],
  },
  {
    schema: {
      type: "array",
      items: keyed,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    },
    values: [
      [{ name: "a" }, { name: "b" }],
      [{ name: "a" }, { name: "a", port: 1 }],
      [{}],
      ["x"],
      [{ name: "a" }, "x"],
    ],
  },
  {
    schema: {
      type: "array",
      items: {
        type: "object",
        properties: { port: { type: "integer" }, protocol: { type: "string", default: "TCP" } },
        required: ["port"],
      },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port", "protocol"],
    },
    values: [
      [{ port: 1 }, { port: 1, protocol: "UDP" }],
      [{ port: 1 }, { port: 1, protocol: "TCP" }],
    ],
  },
  // Objects
  {
    schema: { type: "object", properties: { a: text, b: text }, required: ["a", "b"] },
    values: [{}, { a: "x" }, { a: "x", b: "y" }],
  },
  {
    schema: { type: "object", additionalProperties: { type: "integer" } },
    values: [{ a: 1 }, { a: "x", "b.c": "y" }],
  },
  {
    schema: {
      type: "object",
      additionalProperties: { type: "array", items: text, "x-kubernetes-list-type": "set" },
    },
    values: [{ k: ["a", "a"] }],
  },
  { schema: { type: "object", additionalProperties: false }, values: [{}, { a: { b: 1 } }] },
  { schema: { type: "object", additionalProperties: true }, values: [{ a: { b: 1 } }] },
  {
    schema: { type: "object", minProperties: 1, maxProperties: 2, additionalProperties: text },
    values: [{}, { a: "", b: "", c: "" }],
  },
  {
    schema: {
      type: "object",
      properties: {
        in: {
          type: "object",
          properties: {
            list: {
              type: "array",
              items: { type: "object", required: ["x"], properties: { x: text } },
            },
          },
        },
      },
    },
    values: [{ in: { list: [{ x: "a" }, {}, { x: 1, y: 2 }] } }],
  },
  // Pruning
  {
    schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    values: [{ a: { b: null } }],
  },
  {
    schema: {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { known: { type: "object", properties: { a: text } } },
    },
    values: [{ known: { a: "x", b: 1 }, other: { c: 1 } }],
  },
  {
    schema: { "x-kubernetes-preserve-unknown-fields": true },
    values: [5, [{ a: 1 }], { a: null }, null],
  },
  {
    schema: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    },
    values: [
      { apiVersion: "v1", kind: "Pod", spec: { a: 1 } },
      { spec: {} },
      { apiVersion: "", kind: "Pod" },
    ],
  },
  {
    schema: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      properties: { spec: { type: "object", properties: { a: text } } },
    },
    values: [
      { apiVersion: "v1", kind: "Pod", metadata: { name: "x" }, spec: { a: "x", b: 1 }, other: 1 },
    ],
  },
  // Defaults
  {
    schema: {
      type: "object",
      properties: {
        a: { type: "string", default: "d" },
        n: { type: "object", default: {}, properties: { m: { type: "integer", default: 5 } } },
      },
    },
    values: [{}, { a: null, n: null }, { n: { m: null } }, null],
  },
  {
    schema: {
      type: "array",
      items: { type: "object", properties: { a: { type: "string", default: "d" } } },
    },
    values: [[{}, { a: "x" }]],
  },
  {
    schema: {
      type: "object",
      additionalProperties: { type: "object", properties: { a: { type: "string", default: "d" } } },
    },
    values: [{ k: {} }],
  },
  {
    schema: { type: "object", additionalProperties: { type: "string", default: "d" } },
    values: [{ k: null }],
  },
  { schema: { type: "array", items: { type: "string", default: "d" } }, values: [[null, "x"]] },
  { schema: { type: "array", items: { type: "string", nullable: true } }, values: [[null, "x"]] },
  // Alternatives
  {
    schema: {
      type: "object",
      properties: { a: text, b: text },
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    values: [{}, { a: "x" }, { a: "x", b: "y" }],
  },
  {
    schema: {
      type: "object",
      properties: { a: text, b: { type: "integer" } },
      anyOf: [{ required: ["a"] }, { required: ["b"], properties: { b: { minimum: 5 } } }],
    },
    values: [{}, { b: 1 }, { b: 5 }],
  },
  { schema: { type: "integer", allOf: [{ minimum: 5 }, { multipleOf: 2 }] }, values: [3, 7, 8] },
  { schema: { type: "integer", allOf: [{ minimum: 5 }] }, values: [3] },
  { schema: { type: "string", not: { enum: ["bad"] } }, values: ["bad", "good"] },
  {
    schema: { type: "string", anyOf: [{ format: "ipv4" }, { format: "ipv6" }] },
    values: ["10.0.0.1", "::1", "x"],
  },
  {
    schema: { type: "string", oneOf: [{ pattern: "^a" }, { maxLength: 2 }] },
    values: ["abc", "ab", "bcd"],
  },
];

/** The schema of `spec`: each case is a field, "p0" and so on. */
export const specSchema: Schema = {
  type: "object",
  properties: Object.fromEntries(schemaCases.map(({ schema }, index) => [`p${index}`, schema])),
};

/** The specs that are asked about, in order. */
export const specs: readonly Readonly<Record<string, unknown>>[] = schemaCases.flatMap(
  ({ values }, index) =>
    values.map((value) => (value === undefined ? {} : { [`p${index}`]: value })),
);
