import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { coveredBackfill, coveredLive, type WatchedObject } from "../../shared/queue/covered.ts";
import { UNKNOWN_FINGERPRINT } from "../../shared/queue/fingerprint.ts";
import type { ObjectRecord, Outcome } from "../../shared/queue/record.ts";
import { encodeSeen } from "../../shared/queue/seen.ts";

const primary: WatchedObject = object("a1", "1");
const child: WatchedObject = object("b2", "2");
const OUTCOMES: readonly Outcome[] = [
  "success",
  "requeue_after",
  "conflict",
  "throttled",
  "error",
  "terminal_error",
  "given_up",
  "released",
  "gone",
];

function object(id: string, state: string, deleting = false): WatchedObject {
  return { identity: id.repeat(8), fingerprint: `0${state}`.repeat(6), deleting };
}

function seenOf(...objects: readonly WatchedObject[]): Uint8Array {
  return encodeSeen(new Map(objects.map((each) => [each.identity, each.fingerprint])));
}

function record(more: Partial<ObjectRecord> = {}): ObjectRecord {
  return {
    epoch: 3,
    failures: 0,
    outcome: "success",
    revision: "r1",
    seen: seenOf(primary, child),
    ...more,
  };
}

function live(of: ObjectRecord | undefined, objects = [primary, child], anyDeleted = false) {
  return coveredLive({ record: of, entry: { objects, anyDeleted }, revision: "r1" });
}

function backfill(of: ObjectRecord | undefined, cached = [primary, child]) {
  return coveredBackfill({ record: of, cached, revision: "r1" });
}

test("an entry whose every object was seen exactly so is covered", () => {
  expect(live(record())).toBe(true);
  expect(live(record(), [child])).toBe(true);
  expect(backfill(record())).toBe(true);
});

test.each<[string, ObjectRecord | undefined]>([
  ["there is no record", undefined],
  ["a run holds the lock", record({ runId: "r", runUntil: 9e15 })],
  ["an expired lock is left: that run died half done (S1)", record({ runId: "r", runUntil: 1 })],
  ["another revision made the last run", record({ revision: "r0" })],
  ["nothing is told of what the last run saw", withoutSeen()],
  ["what the last run saw is an overflow", record({ seen: encodeSeen(undefined) })],
  ["an object was seen in a state unknown", record({ seen: unknownSeen() })],
  ["no run has ended yet", withoutOutcome()],
])("nothing is covered when %s", (_, of) => {
  expect(live(of)).toBe(false);
  expect(backfill(of)).toBe(false);
});

test.each(OUTCOMES.flatMap((outcome) => [[outcome, false] as const, [outcome, true] as const]))(
  "after %s with a timer: %s",
  (outcome, timer) => {
    const always = ["success", "requeue_after", "terminal_error", "given_up"].includes(outcome);
    const withTimer = ["error", "throttled", "conflict"].includes(outcome);
    const of = record({ outcome, ...(timer ? { dueAt: 1 } : {}) });
    expect(live(of)).toBe(always || (withTimer && timer));
    expect(backfill(of)).toBe(always || (withTimer && timer));
  },
);

test("nothing is covered where an object was deleted, is marked for deletion or differs", () => {
  expect(live(record(), [primary], true)).toBe(false);
  expect(live(record(), [], true)).toBe(false);
  expect(live(record(), [])).toBe(false);
  expect(live(record(), [primary, { ...child, deleting: true }])).toBe(false);
  expect(live(record(), [primary, object("b2", "3")])).toBe(false);
  expect(live(record(), [primary, object("c3", "2")])).toBe(false);
});

test("A, B, A again: the older run covers nothing while the newer one runs, or died (S1)", () => {
  const seesA = record({ seen: seenOf(primary) });
  expect(live(seesA, [primary])).toBe(true);
  const nowMs = 1_000_000;
  for (const runUntil of [nowMs + 5_000, nowMs - 5_000]) {
    expect(live({ ...seesA, epoch: 4, runId: "reads-b", runUntil }, [primary])).toBe(false);
  }
});

test("a backfill finds a child that was deleted while nobody forwarded", () => {
  expect(backfill(record(), [primary])).toBe(false);
});

test("a backfill finds an object that came, changed or was re-created meanwhile", () => {
  expect(backfill(record(), [primary, child, object("c3", "3")])).toBe(false);
  expect(backfill(record(), [primary, object("b2", "9")])).toBe(false);
  expect(backfill(record(), [primary, object("d4", "2")])).toBe(false);
});

test("a backfill never covers a key of which no object is left", () => {
  expect(backfill(record(), [])).toBe(false);
  expect(backfill(record({ seen: seenOf() }), [])).toBe(false);
});

test("a backfill leaves out what belongs to sources that have not synced, both ways (S6)", () => {
  const test_ = (cached: readonly WatchedObject[], unsynced: WatchedObject) =>
    coveredBackfill({
      record: record(),
      cached,
      revision: "r1",
      unsynced: (identity) => identity === unsynced.identity,
    });
  expect(test_([primary], child)).toBe(true);
  expect(test_([primary, object("b2", "7")], child)).toBe(true);
  expect(test_([child], child)).toBe(false);
  expect(test_([child], primary)).toBe(true);
  expect(test_([primary], object("c3", "3"))).toBe(false);
});

const states = fc.array(
  fc.tuple(fc.constantFrom("a1", "b2", "c3", "d4"), fc.constantFrom("1", "2")),
  {
    maxLength: 4,
  },
);
const objects = states.map((pairs) => [...new Map(pairs)].map(([id, state]) => object(id, state)));

test("a backfill is covered exactly when what was seen is what is there", () => {
  fc.assert(
    fc.property(objects, objects, (seen, there) => {
      const text = (all: readonly WatchedObject[]) =>
        all
          .map((each) => each.identity + each.fingerprint)
          .sort()
          .join();
      expect(backfill(record({ seen: seenOf(...seen) }), there)).toBe(
        there.length > 0 && text(seen) === text(there),
      );
    }),
  );
});

test("nothing is ever covered while a runId stands in the record", () => {
  fc.assert(
    fc.property(objects, fc.constantFrom(...OUTCOMES), fc.nat(), (seen, outcome, runUntil) => {
      const of = record({ seen: seenOf(...seen), outcome, runId: "r", runUntil, dueAt: 1 });
      expect(live(of, seen)).toBe(false);
      expect(backfill(of, seen)).toBe(false);
    }),
  );
});

function withoutSeen(): ObjectRecord {
  const { seen: _, ...rest } = record();
  return rest;
}

function withoutOutcome(): ObjectRecord {
  const { outcome: _, ...rest } = record();
  return rest;
}

function unknownSeen(): Uint8Array {
  return seenOf({ ...primary, fingerprint: UNKNOWN_FINGERPRINT }, child);
}
