import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readSchedule } from "../../functions/cronjob/schedule.ts";

const at = (text: string) => Date.parse(text);

test("a start at this very moment has come, and is not the next one", () => {
  const schedule = readSchedule("30 2 * * *", "UTC");
  const start = at("2026-05-01T02:30:00Z");
  expect(schedule.missed(start - 1, start)).toBe(start);
  expect(schedule.missed(start, start)).toBeUndefined();
  expect(schedule.missed(start - 2, start - 1)).toBeUndefined();
  expect(schedule.next(start - 1)).toBe(start);
  expect(schedule.next(start)).toBe(at("2026-05-02T02:30:00Z"));
});

test("of many missed starts the last one counts", () => {
  const schedule = readSchedule("* * * * *", "UTC");
  const now = at("2026-05-01T02:30:20Z");
  expect(schedule.missed(at("2020-01-01T00:00:00Z"), now)).toBe(at("2026-05-01T02:30:00Z"));
});

test("the time zone says which hour is meant, in summer and in winter", () => {
  const schedule = readSchedule("0 9 * * *", "Europe/Berlin");
  expect(schedule.next(at("2026-07-01T00:00:00Z"))).toBe(at("2026-07-01T07:00:00Z"));
  expect(schedule.next(at("2026-12-01T00:00:00Z"))).toBe(at("2026-12-01T08:00:00Z"));
});

test("an hour that the clocks repeat starts one job", () => {
  const schedule = readSchedule("30 2 * * *", "Europe/Berlin");
  const first = schedule.next(at("2026-10-24T22:00:00Z")) ?? 0;
  expect(new Date(first).toISOString()).toBe("2026-10-25T00:30:00.000Z");
  expect(new Date(schedule.next(first) ?? 0).toISOString()).toBe("2026-10-26T01:30:00.000Z");
});

test("a day that never comes has no start", () => {
  const schedule = readSchedule("0 0 31 2 *", "UTC");
  const now = at("2026-05-01T00:00:00Z");
  expect([schedule.missed(0, now), schedule.next(now)]).toEqual([undefined, undefined]);
});

test("between a start and the next one there is none", () => {
  const fields = fc.constantFrom("*", "*/7", "5", "1-3");
  const schedules = fc.tuple(fields, fields).map((parts) => `${parts.join(" ")} * * *`);
  const zones = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata");
  const times = fc.integer({ min: at("2026-01-01T00:00:00Z"), max: at("2026-12-31T00:00:00Z") });
  fc.assert(
    fc.property(schedules, zones, times, (expression, zone, now) => {
      const schedule = readSchedule(expression, zone);
      const next = schedule.next(now) ?? Number.NaN;
      expect(next).toBeGreaterThan(now);
      expect(schedule.missed(now, next - 1)).toBeUndefined();
      expect(schedule.missed(now, next)).toBe(next);
    }),
    { numRuns: 200 },
  );
});

test.each([["bad"], ["* * * *"], ["60 * * * *"]])("refuses %j", (expression) => {
  expect(() => readSchedule(expression, "UTC")).toThrow("spec.schedule: CronPattern: ");
});

test.each([["Mars/Olympus"], ["Local"], ["+25:00"]])("refuses the time zone %j", (timeZone) => {
  expect(() => readSchedule("* * * * *", timeZone)).toThrow("spec.timeZone: Invalid time zone");
});
