import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { ReconcileRequest } from "../../shared/queue/request.ts";
import {
  changeCause,
  decodeRequest,
  encodeRequest,
  messageGroupId,
  uniqueCause,
} from "../../shared/queue/request-codec.ts";

const REQUEST: ReconcileRequest = {
  cluster: "prod",
  controller: "website",
  namespace: "shop",
  name: "blog",
  reason: "change",
  changedAtMs: 5,
};

/** 1 to 128 letters, digits and punctuation of ASCII, without spaces (aws-facts 1.1). */
const SQS_ID = /^[!-~]{1,128}$/;

const requests = fc.record(
  {
    cluster: fc.string({ minLength: 1 }),
    controller: fc.string({ minLength: 1 }),
    namespace: fc.string({ maxLength: 63 }),
    name: fc.string({ minLength: 1, maxLength: 253 }),
    reason: fc.constantFrom("change", "backfill", "resync", "timer", "manual", "redrive"),
    changedAtMs: fc.nat(),
  },
  { requiredKeys: ["cluster", "controller", "namespace", "name", "reason"] },
);

test("decodes what it encoded, and its ids are legal for SQS", () => {
  fc.assert(
    fc.property(requests, fc.string(), (request, cause) => {
      const message = encodeRequest({ request, cause });
      expect(decodeRequest(message.MessageBody)).toEqual({ ok: request });
      expect(message.MessageGroupId).toMatch(SQS_ID);
      expect(message.MessageDeduplicationId).toMatch(SQS_ID);
      expect(message.MessageGroupId).toBe(messageGroupId(request));
    }),
  );
});

test("different keys have different ids, equal ones equal ids, whatever the texts", () => {
  fc.assert(
    fc.property(requests, requests, (a, b) => {
      const key = ({ cluster, controller, namespace, name }: ReconcileRequest) =>
        JSON.stringify([cluster, controller, namespace, name]);
      expect(messageGroupId(a) === messageGroupId(b)).toBe(key(a) === key(b));
    }),
  );
});

test.each<[string, Partial<ReconcileRequest>, Partial<ReconcileRequest>]>([
  ["a/b-c and a-b/c", { namespace: "a", name: "b-c" }, { namespace: "a-b", name: "c" }],
  ["one name of two controllers", { controller: "a" }, { controller: "b" }],
  ["one name in two namespaces", { namespace: "a" }, { namespace: "b" }],
  ["one name in two clusters", { cluster: "a" }, { cluster: "b" }],
  ["cluster-scoped and namespaced", { namespace: "", name: "a" }, { namespace: "a", name: "" }],
])("keeps apart %s (B37)", (_, a, b) => {
  const [one, two] = [
    { ...REQUEST, ...a },
    { ...REQUEST, ...b },
  ];
  const encoded = [one, two].map((request) => encodeRequest({ request, cause: "same" }));
  expect(new Set(encoded.map(({ MessageGroupId }) => MessageGroupId)).size).toBe(2);
  expect(new Set(encoded.map(({ MessageDeduplicationId }) => MessageDeduplicationId)).size).toBe(2);
});

test("the longest key fits into the ids and stands whole in the body (B37)", () => {
  const request = { ...REQUEST, namespace: "n".repeat(63), name: "o".repeat(253) };
  const message = encodeRequest({ request, cause: changeCause(1) });
  expect(message.MessageGroupId).toHaveLength(43);
  expect(message.MessageDeduplicationId).toHaveLength(43);
  expect(JSON.parse(message.MessageBody)).toEqual({ version: 1, ...request });
});

test("a change has one id an epoch, so that one after a start is never swallowed (B02)", () => {
  const id = (epoch: number) =>
    encodeRequest({ request: REQUEST, cause: changeCause(epoch) }).MessageDeduplicationId;
  expect(id(1)).toBe(id(1));
  expect(new Set([id(0), id(1), id(2), id(11)]).size).toBe(4);
});

test("a unique cause is never that of a change, nor of another request", () => {
  const ids = ["1", "2"];
  const newId = () => ids.shift() ?? "";
  const causes = [uniqueCause(newId), uniqueCause(newId), changeCause(1), changeCause(2)];
  expect(new Set(causes).size).toBe(4);
});

test("reason and time do not change the ids: the same change seen twice is one request", () => {
  const one = encodeRequest({ request: REQUEST, cause: "c" });
  const two = encodeRequest({
    request: { ...REQUEST, reason: "backfill", changedAtMs: 99 },
    cause: "c",
  });
  expect({ ...two, MessageBody: "" }).toEqual({ ...one, MessageBody: "" });
});

const BODY = { version: 1, ...REQUEST };

test.each<[string, unknown, unknown]>([
  ["unknown fields are ignored", { ...BODY, more: { a: 1 } }, { ok: REQUEST }],
  ["a newer version is run by its key (Q12)", { ...BODY, version: 2, x: 1 }, { newer: REQUEST }],
  ["a missing version is the first", { ...BODY, version: undefined }, { ok: REQUEST }],
  [
    "an unknown reason is manual",
    { ...BODY, reason: "x" },
    { ok: { ...REQUEST, reason: "manual" } },
  ],
  ["a time that is none is left out", { ...BODY, changedAtMs: "5" }, { ok: withoutTime() }],
])("%s", (_, body, expected) => {
  expect(decodeRequest(JSON.stringify(body))).toEqual(expected);
});

test.each([
  ["no JSON", "hello"],
  ["no object", "[]"],
  ["null", "null"],
  ["no name", JSON.stringify({ ...BODY, name: undefined })],
  ["an empty name", JSON.stringify({ ...BODY, name: "" })],
  ["a namespace that is no text", JSON.stringify({ ...BODY, namespace: 5 })],
  ["no controller, of a newer version", JSON.stringify({ version: 9, cluster: "a", name: "b" })],
])("is unreadable without a key: %s", (_, body) => {
  expect(decodeRequest(body)).toEqual({
    unreadable: expect.stringContaining("cannot read request: expected JSON with cluster"),
  });
});

function withoutTime(): ReconcileRequest {
  const { changedAtMs: _, ...rest } = REQUEST;
  return rest;
}
