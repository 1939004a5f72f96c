import { cel, embedded, listMap, listSet } from "tidegate/crd";
import * as z from "zod";

/** Where zod and the API server say different things of a value, and why that stays. */
export interface Difference {
  readonly why: string;
  readonly schema: z.ZodType;
  readonly value: unknown;
  /** What zod makes of it; `refused` where it takes it not. */
  readonly zod: unknown;
  /** What the API server makes of it. */
  readonly server: unknown;
  /** Why only a real API server says so: see docs/local-mode.md. */
  readonly realOnly?: string;
}

export const REFUSED = Symbol("refused");

const items = z.array(z.object({ a: z.int() }));

export const DIFFERENCES: readonly Difference[] = [
  {
    why: "null counts as no value where it is not allowed",
    schema: z.object({ a: z.int().optional(), b: z.int().default(1) }),
    value: { a: null, b: null },
    zod: REFUSED,
    server: { b: 1 },
  },
  {
    why: "unknown fields are dropped, of a strict object, too; kubectl warns of them",
    schema: z.strictObject({ a: z.int() }),
    value: { a: 1, b: 2 },
    zod: REFUSED,
    server: { a: 1 },
  },
  {
    why: "unknown names of a record are dropped",
    schema: z.record(z.enum(["a"]), z.int()),
    value: { a: 1, b: 2 },
    zod: REFUSED,
    server: { a: 1 },
  },
  {
    why: "an enum never takes null, nullable or not",
    schema: z.enum(["a"]).nullable(),
    value: null,
    zod: null,
    server: REFUSED,
  },
  {
    why: "a character beyond U+FFFF is one to a pattern",
    schema: z.string().regex(/^.$/),
    value: "🙂",
    zod: REFUSED,
    server: "🙂",
  },
  {
    why: "whole numbers have 64 bits",
    schema: z.int(),
    value: 2 ** 53,
    zod: REFUSED,
    server: 2 ** 53,
  },
  {
    why: "a list is taken for a string of a format that the API server knows",
    schema: z.iso.datetime(),
    value: [],
    zod: REFUSED,
    server: [],
  },
  {
    why: "times may have an offset",
    schema: z.iso.datetime(),
    value: "2026-01-01T00:00:00+01:00",
    zod: REFUSED,
    server: "2026-01-01T00:00:00+01:00",
  },
  {
    why: "an email may have a name",
    schema: z.email(),
    value: "A <a@example.com>",
    zod: REFUSED,
    server: "A <a@example.com>",
  },
  { why: "a URI may be a path", schema: z.url(), value: "/a", zod: REFUSED, server: "/a" },
  { why: "base64 is never empty", schema: z.base64(), value: "", zod: "", server: REFUSED },
  {
    why: "a space is one of ASCII to a pattern",
    schema: z.string().regex(/^\s$/),
    value: "\u00a0",
    zod: "\u00a0",
    server: REFUSED,
  },
  {
    why: "any character of a pattern may be a carriage return",
    schema: z.string().regex(/^.$/),
    value: "\r",
    zod: REFUSED,
    server: "\r",
  },
  {
    why: "a field of another branch is refused, not dropped",
    schema: z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]),
    value: { a: 1, b: 2 },
    zod: { a: 1 },
    server: REFUSED,
  },
  {
    why: "items of a list by keys are told apart",
    schema: items.check(listMap("a")),
    value: [{ a: 1 }, { a: 1 }],
    zod: [{ a: 1 }, { a: 1 }],
    server: REFUSED,
  },
  {
    why: "a set holds a value once",
    schema: z.array(z.int()).check(listSet()),
    value: [1, 1],
    zod: [1, 1],
    server: REFUSED,
  },
  {
    why: "rules in CEL are the API server's",
    schema: z.int().check(cel("self > 0", "must be above 0")),
    value: 0,
    zod: 0,
    server: REFUSED,
  },
  {
    why: "metadata of an embedded object is that of an object",
    schema: embedded(),
    value: { apiVersion: "v1", kind: "Pod", metadata: { name: "a", odd: 1 } },
    zod: { apiVersion: "v1", kind: "Pod", metadata: { name: "a", odd: 1 } },
    server: { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } },
    realOnly: "the embedded one keeps them",
  },
];
