import { expect, test } from "@jest/globals";
import type { ObjectRecord } from "../../shared/queue/record.ts";
import { SELF_WAKE_LIMIT, selfWakesAfter } from "../../shared/queue/self-wakes.ts";

const record = (fields: Partial<ObjectRecord> = {}): ObjectRecord => ({
  epoch: 1,
  failures: 1,
  reason: "change",
  ...fields,
});
const run = { wakesItself: true, anew: false, nowMs: 100_000 };
const random = () => 1;
const full = { selfWakes: SELF_WAKE_LIMIT, selfWakesSince: 50_000 };

test("counts runs that wake themselves, and holds changes from the eleventh in a minute on", () => {
  expect(selfWakesAfter(record(), run, random)).toEqual({ selfWakes: 1, selfWakesSince: 100_000 });
  expect(selfWakesAfter(record({ ...full, selfWakes: 9 }), run, random)).toEqual(full);
  expect(selfWakesAfter(record(full), run, random)).toEqual({
    selfWakes: 11,
    selfWakesSince: 50_000,
    heldUntil: 101_000,
  });
});

test("begins to count anew after a minute, unless the key is slowed already", () => {
  const later = { ...run, nowMs: 110_001 };
  expect(selfWakesAfter(record(full), later, random)).toEqual({
    selfWakes: 1,
    selfWakesSince: 110_001,
  });
  const slowed = { selfWakes: 20, selfWakesSince: 50_000 };
  expect(selfWakesAfter(record(slowed), later, random)).toEqual({
    selfWakes: 21,
    selfWakesSince: 50_000,
    heldUntil: 110_001 + 60_000, // Never longer: somebody else's change may wait, too.
  });
});

test.each([
  ["wrote nothing that wakes it", record(full), { ...run, wakesItself: false }],
  ["was of a new spec or object", record(full), { ...run, anew: true }],
  ["was asked for by a timer", record({ ...full, reason: "timer" }), run],
])("forgets the count after a run that %s", (_name, before, after) => {
  expect(selfWakesAfter(before, after, random)).toEqual({});
});
