import { expect, test } from "@jest/globals";
import { keptByAnswer } from "../../local/batch-answer.ts";

const batch = new Set(["a", "b"]);
const nothing = { all: false, ids: new Set() };

test.each([
  ["an empty answer", ""],
  ["null", "null"],
  ["an empty object", "{}"],
  ["no failures", '{"batchItemFailures":[]}'],
  ["null failures", '{"batchItemFailures":null}'],
])("is a complete success with %s", (_name, body) => {
  expect(keptByAnswer(body, batch)).toEqual(nothing);
});

test("keeps the messages that the answer names", () => {
  const body = '{"batchItemFailures":[{"itemIdentifier":"b"}]}';
  expect(keptByAnswer(body, batch)).toEqual({ all: false, ids: new Set(["b"]) });
});

test.each([
  ["text", "oops"],
  ["failures that are no list", '{"batchItemFailures":{}}'],
  ["an empty id", '{"batchItemFailures":[{"itemIdentifier":""}]}'],
  ["a missing id", '{"batchItemFailures":[{"id":"a"}]}'],
  ["a failure that is null", '{"batchItemFailures":[null]}'],
  ["an id of another batch", '{"batchItemFailures":[{"itemIdentifier":"c"}]}'],
])("is a complete failure with %s", (_name, body) => {
  expect(keptByAnswer(body, batch)).toMatchObject({ all: true });
});
