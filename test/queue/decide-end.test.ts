import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { conflictDelayMs, failureDelayMs, throttledDelayMs } from "../../shared/queue/backoff.ts";
import { boundedText } from "../../shared/queue/bounded-text.ts";
import { decideEnd, type EndedRun, type RunResult } from "../../shared/queue/decide-end.ts";
import type { ObjectRecord, RunEnd } from "../../shared/queue/record.ts";

const NOW_MS = 1_700_000_000_000;
const SEEN = Uint8Array.of(1);
const APPLIED = Uint8Array.of(2);
const all = () => 1; // The longest delay that jitter allows.

/** A run that is its object's third in a row to fail, should it fail. */
function run(result: RunResult, more: Partial<EndedRun> = {}): EndedRun {
  return {
    record: started({ failures: 3 }),
    result,
    object: { uid: "u", generation: 2 },
    receiptHandle: "handle",
    revision: "r1",
    nowMs: NOW_MS,
    seen: SEEN,
    applied: APPLIED,
    ...more,
  };
}

function started(more: Partial<ObjectRecord> = {}): ObjectRecord {
  const lock = { runId: "run", runUntil: NOW_MS + 60_000, startedAt: NOW_MS - 1_000 };
  return { epoch: 7, failures: 1, ...lock, reason: "change", uid: "u", generation: 2, ...more };
}

const common = { epoch: 7, finishedAt: NOW_MS, revision: "r1", uid: "u", generation: 2 };

test.each<[string, RunResult, Partial<RunEnd>, object]>([
  [
    "nothing returned: no failure is left, the next change comes",
    { kind: "success" },
    { outcome: "success", failures: 0, seen: SEEN, applied: APPLIED },
    { kind: "acknowledge" },
  ],
  [
    "requeueAfterSeconds: a timer",
    { kind: "requeue_after", seconds: 1.4995 },
    { outcome: "requeue_after", failures: 0, dueAt: NOW_MS + 1_500, seen: SEEN, applied: APPLIED },
    { kind: "acknowledge" },
  ],
  [
    "requeueAfterSeconds 0: a timer that is due",
    { kind: "requeue_after", seconds: 0 },
    { outcome: "requeue_after", failures: 0, dueAt: NOW_MS, seen: SEEN, applied: APPLIED },
    { kind: "acknowledge" },
  ],
  [
    "an error: the message comes back after its backoff, a timer is due 30 s later (Q8)",
    { kind: "error", error: "boom" },
    {
      outcome: "error",
      error: "boom",
      failures: 3,
      dueAt: NOW_MS + 34_000,
      retryHandle: "handle",
      seen: SEEN,
    },
    { kind: "retry", visibilitySeconds: 4 },
  ],
  [
    "a 403: as an error",
    { kind: "forbidden", error: "may not get secrets" },
    {
      outcome: "error",
      error: "may not get secrets",
      failures: 3,
      dueAt: NOW_MS + 34_000,
      retryHandle: "handle",
      seen: SEEN,
    },
    { kind: "retry", visibilitySeconds: 4 },
  ],
  [
    "a TerminalError: failures unchanged, no retry",
    { kind: "terminal", error: "no such zone" },
    { outcome: "terminal_error", error: "no such zone", failures: 2, seen: SEEN },
    { kind: "acknowledge" },
  ],
  [
    "throttled: failures unchanged, a timer after Retry-After at the earliest",
    { kind: "throttled", error: "429", retryAfterMs: 10_000 },
    {
      outcome: "throttled",
      error: "429",
      failures: 2,
      postponed: 1,
      dueAt: NOW_MS + 10_500,
      seen: SEEN,
    },
    { kind: "acknowledge" },
  ],
  [
    "a conflict: as throttled, from 1 s",
    { kind: "conflict", error: "409" },
    {
      outcome: "conflict",
      error: "409",
      failures: 2,
      postponed: 1,
      dueAt: NOW_MS + 1_000,
      seen: SEEN,
    },
    { kind: "acknowledge" },
  ],
  [
    "a namespace that terminates: like success",
    { kind: "namespace_terminating" },
    { outcome: "success", failures: 0, seen: SEEN, applied: APPLIED },
    { kind: "acknowledge" },
  ],
  [
    "gone: the record expires after 15 days",
    { kind: "gone" },
    { outcome: "gone", failures: 0, expiresAt: NOW_MS / 1_000 + 15 * 86_400 },
    { kind: "acknowledge" },
  ],
  [
    "released: the record expires after 15 days",
    { kind: "released" },
    { outcome: "released", failures: 0, expiresAt: NOW_MS / 1_000 + 15 * 86_400 },
    { kind: "acknowledge" },
  ],
])("%s", (_, result, end, messages) => {
  expect(decideEnd(run(result), all)).toEqual({ end: { ...common, ...end }, messages });
});

test("a backoff of more than 120 s is a timer alone, and all is acknowledged", () => {
  const error: RunResult = { kind: "error", error: "boom" };
  const seventh = decideEnd(run(error, { record: started({ failures: 7 }) }), all);
  expect(seventh.messages).toEqual({ kind: "retry", visibilitySeconds: 64 });
  const eighth = decideEnd(run(error, { record: started({ failures: 8 }) }), all);
  expect(eighth.messages).toEqual({ kind: "acknowledge" });
  expect(eighth.end).toMatchObject({ failures: 8, dueAt: NOW_MS + 128_000 });
  expect(eighth.end).not.toHaveProperty("retryHandle");
});

test.each([
  ["another uid (B12)", { uid: "v", generation: 2 }],
  ["another generation", { uid: "u", generation: 3 }],
])("failures begin anew with %s", (_, object) => {
  const ended = (result: RunResult) => decideEnd(run(result, { object }), all).end.failures;
  expect(ended({ kind: "error", error: "" })).toBe(1);
  for (const kind of ["terminal", "throttled", "conflict"] as const) {
    expect(ended({ kind, error: "" })).toBe(0);
  }
});

test("runs that died before any end count: their object is no new one", () => {
  const { uid: _u, generation: _g, ...record } = started({ failures: 4 });
  const { end } = decideEnd(run({ kind: "error", error: "" }, { record }), all);
  expect(end).toMatchObject({ failures: 4, uid: "u", generation: 2 });
});

test("a run that got no object keeps what was known of it, and counts", () => {
  const { end } = decideEnd(run({ kind: "error", error: "" }, { object: undefined }), all);
  expect(end).toMatchObject({ failures: 3, uid: "u", generation: 2 });
});

test.each([
  { receives: 24, kind: "retry" },
  { receives: 25, kind: "acknowledge" },
])(
  "a message that was received $receives times: $kind, a timer in any case",
  ({ receives, kind }) => {
    const { end, messages } = decideEnd(run({ kind: "error", error: "boom" }, { receives }), all);
    expect(messages.kind).toBe(kind);
    expect(end.dueAt).toBe(NOW_MS + (kind === "retry" ? 34_000 : 4_000));
    expect(end.retryHandle).toBe(kind === "retry" ? "handle" : undefined);
  },
);

test("gives up when it failed maxAttempts times in a row, keeps the count and sets no timer", () => {
  const error: RunResult = { kind: "error", error: "boom" };
  expect(decideEnd(run(error, { maxAttempts: 4 }), all).messages.kind).toBe("retry");
  expect(decideEnd(run(error, { maxAttempts: 3 }), all)).toEqual({
    end: { ...common, outcome: "given_up", error: "boom", failures: 3, seen: SEEN },
    messages: { kind: "dead_letter", error: "boom" },
  });
  const others: readonly RunResult[] = [
    { kind: "throttled", error: "" },
    { kind: "conflict", error: "" },
    { kind: "terminal", error: "" },
  ];
  for (const result of others) {
    expect(decideEnd(run(result, { maxAttempts: 1 }), all).messages.kind).toBe("acknowledge");
  }
});

test("postponed ends in a row double the delay, any other end forgets them", () => {
  const conflict: RunResult = { kind: "conflict", error: "" };
  const fourth = decideEnd(run(conflict, { record: started({ postponed: 3 }) }), all).end;
  expect(fourth).toMatchObject({ postponed: 4, dueAt: NOW_MS + 8_000 });
  const record = started({ postponed: 3 });
  for (const result of [{ kind: "success" }, { kind: "error", error: "" }] as const) {
    expect(decideEnd(run(result, { record }), all).end).not.toHaveProperty("postponed");
  }
});

test("every end that will be retried leaves a timer behind (Q8)", () => {
  const kinds = ["error", "forbidden", "throttled", "conflict"] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...kinds),
      fc.integer({ min: 1, max: 100 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (kind, failures, random) => {
        const ended = run({ kind, error: "" }, { record: started({ failures }) });
        const { end, messages } = decideEnd(ended, () => random);
        expect(end.dueAt).toBeGreaterThan(NOW_MS);
        expect(Number.isInteger(end.dueAt)).toBe(true);
        if (messages.kind !== "retry") return;
        expect(messages.visibilitySeconds).toBeLessThanOrEqual(120);
        expect(end.dueAt).toBeGreaterThanOrEqual(
          NOW_MS + 29_000 + messages.visibilitySeconds * 1_000,
        );
      },
    ),
  );
});

test("an error's text is cut to 256 bytes and never inside a character", () => {
  const { end } = decideEnd(run({ kind: "terminal", error: "é".repeat(300) }), all);
  expect(end.error).toBe(`${"é".repeat(126)}...`);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (text) => {
      const cut = boundedText(text, 256);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(256);
      expect(cut).not.toContain("\uFFFD");
      if (Buffer.byteLength(text) <= 256) expect(cut).toBe(text);
    }),
  );
});

test("delays double from a second up to 1,000 s, and jitter takes up to half of them away", () => {
  const [none, half] = [() => 0, () => 0.5];
  expect([1, 2, 3, 10, 11, 99].map((failures) => failureDelayMs(failures, all))).toEqual([
    1_000, 2_000, 4_000, 512_000, 1_000_000, 1_000_000,
  ]);
  expect([1, 2, 99].map((failures) => failureDelayMs(failures, none))).toEqual([
    500, 1_000, 500_000,
  ]);
  expect(failureDelayMs(1, half)).toBe(750);
  expect([1, 7, 99].map((postponed) => conflictDelayMs(postponed, all))).toEqual([
    1_000, 60_000, 60_000,
  ]);
});

test("throttled runs wait for Retry-After at least, and longer the more often it repeats", () => {
  const none = () => 0;
  expect(throttledDelayMs({ postponed: 1, retryAfterMs: 5_000 }, none)).toBe(5_000);
  expect(throttledDelayMs({ postponed: 1, retryAfterMs: 5_000 }, all)).toBe(5_500);
  expect(throttledDelayMs({ postponed: 6, retryAfterMs: 1_000 }, all)).toBe(32_000);
  expect(throttledDelayMs({ postponed: 99 }, all)).toBe(300_000);
  expect(throttledDelayMs({ postponed: 1, retryAfterMs: 900_000 }, none)).toBe(900_000);
});

test.each([
  { failures: 1, random: 0.5, delayMs: 750, seconds: 1 },
  { failures: 8, random: 0.875, delayMs: 120_000, seconds: 120 },
])("no message comes back before its backoff of $delayMs ms, up to 120 s", (backoff) => {
  const { failures, random, delayMs, seconds } = backoff;
  const failed = run({ kind: "error", error: "e" }, { record: started({ failures }) });
  const { end, messages } = decideEnd(failed, () => random);
  expect(messages).toEqual({ kind: "retry", visibilitySeconds: seconds });
  expect(end.dueAt).toBe(NOW_MS + delayMs + 30_000);
});
