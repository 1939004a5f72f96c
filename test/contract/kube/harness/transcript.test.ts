import { expect, test } from "@jest/globals";
import { differences, type Exchange, recordingText } from "./transcript.ts";

const exchange = (answer: unknown, more: Partial<Exchange> = {}): Exchange => ({
  request: "GET /x",
  status: 200,
  answer,
  ...more,
});

test("equal transcripts have no differences, whatever the order of their fields", () => {
  expect(
    differences([exchange({ a: 1, b: [{ c: 2 }] })], [exchange({ b: [{ c: 2 }], a: 1 })]),
  ).toEqual([]);
});

test("a difference names the exchange, the field, what was expected and what came", () => {
  const expected = [exchange({ a: [1, { b: 2 }] }), exchange({ c: null })];
  const got = [exchange({ a: [1, { b: 3 }] }, { status: 409 }), exchange({})];

  expect(differences(expected, got)).toEqual([
    "1. GET /x: status: expected 200, got 409",
    "1. GET /x: answer.a[1].b: expected 2, got 3",
    "2. GET /x: answer.c: expected null, got nothing",
  ]);
});

test("an exchange too many or too few is a difference", () => {
  const one = exchange({});

  expect(differences([one], [one, one])).toEqual([
    `2. GET /x: exchange: expected nothing, got ${JSON.stringify(one)}`,
  ]);
  expect(differences([one], [])).toEqual([
    `1. GET /x: exchange: expected ${JSON.stringify(one)}, got nothing`,
  ]);
});

test("the order of a list counts", () => {
  expect(differences([exchange(["a", "b"])], [exchange(["b", "a"])])).toHaveLength(2);
});

test("a recording is JSON that reads back as it was", () => {
  const recording = {
    story: [exchange({ long: "x".repeat(200), list: [1, "two", { three: [] }] })],
  };

  expect(JSON.parse(recordingText(recording))).toEqual(recording);
});
