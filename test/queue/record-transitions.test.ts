import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { NO_RECORD, type ObjectRecord } from "../../shared/queue/record.ts";
import { clearTimer, endRun, startRun } from "../../shared/queue/record-transitions.ts";
import { runEnd, runStart } from "../contract/record-store-contract.ts";

type Step =
  | { readonly start: { readonly runId: string; readonly forMs: number } }
  | { readonly end: { readonly epoch: number; readonly failures: number; readonly dueAt?: number } }
  | { readonly clear: { readonly dueAt: number; readonly epoch: number } }
  | { readonly passMs: number };

const small = fc.integer({ min: 1, max: 5 });
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ start: fc.record({ runId: fc.constantFrom("a", "b", "c"), forMs: small }) }),
    fc.record({
      end: fc.record(
        { epoch: small, failures: fc.nat(3), dueAt: small },
        { requiredKeys: ["epoch", "failures"] },
      ),
    }),
    fc.record({ clear: fc.record({ dueAt: small, epoch: small }) }),
    fc.record({ passMs: small }),
  ),
  { maxLength: 40 },
);

/** The records before and after each step, with what the step answered. */
function histories(check: (moment: Moment) => void) {
  fc.assert(
    fc.property(steps, (all) => {
      let record: ObjectRecord = NO_RECORD;
      let nowMs = 0;
      for (const step of all) {
        if ("passMs" in step) nowMs += step.passMs;
        const moment = { step, nowMs, before: record, ...stepped(record, step, nowMs) };
        check(moment);
        record = moment.after;
      }
    }),
    { numRuns: 500 },
  );
}

interface Moment {
  readonly step: Step;
  readonly nowMs: number;
  readonly before: ObjectRecord;
  readonly after: ObjectRecord;
  readonly did: boolean;
}

function stepped(record: ObjectRecord, step: Step, nowMs: number) {
  if ("start" in step) {
    const { runId, forMs } = step.start;
    const result = startRun(record, runStart({ runId, nowMs, runUntil: nowMs + forMs }));
    return { after: result.started ? result.record : record, did: result.started };
  }
  if ("end" in step) {
    const { ended, record: after } = endRun(record, runEnd(step.end));
    return { after, did: ended };
  }
  if ("clear" in step) {
    const { cleared, record: after } = clearTimer(record, step.clear);
    return { after, did: cleared };
  }
  return { after: record, did: false };
}

test("the epoch never falls, and every new run raises it", () => {
  histories(({ step, before, after, did }) => {
    expect(after.epoch).toBeGreaterThanOrEqual(before.epoch);
    const newRun = "start" in step && did && before.runId !== step.start.runId;
    expect(after.epoch - before.epoch).toBe(newRun ? 1 : 0);
    if (!("end" in step)) expect(after.failures - before.failures).toBe(newRun ? 1 : 0);
  });
});

test("whatever is refused changes nothing", () => {
  histories(({ before, after, did }) => {
    if (!did) expect(after).toBe(before);
  });
});

test("no start takes a lock that another run still holds (Q4)", () => {
  histories(({ step, nowMs, before, did }) => {
    if (!("start" in step) || !did || before.runId === undefined) return;
    expect(before.runId === step.start.runId || (before.runUntil ?? 0) < nowMs).toBe(true);
  });
});

test("an end of any other epoch than the record's is refused (Q5)", () => {
  histories(({ step, before, did }) => {
    if ("end" in step) expect(did).toBe(before.epoch === step.end.epoch);
  });
});

test("only an end or a clear touches the timer (Q8)", () => {
  histories(({ step, before, after }) => {
    if ("start" in step || "passMs" in step) expect(after.dueAt).toBe(before.dueAt);
  });
});

test("a run that died counts as a failure, and its successor knows", () => {
  const first = startRun(NO_RECORD, runStart({ nowMs: 0, runUntil: 10 }));
  if (!first.started) throw new Error("expected a start");
  expect(first.crashed).toBe(false);
  expect(startRun(first.record, runStart({ runId: "b", nowMs: 10 }))).toEqual({
    started: false,
    runUntil: 10,
  });
  expect(startRun(first.record, runStart({ runId: "b", nowMs: 11 }))).toMatchObject({
    started: true,
    crashed: true,
    record: { epoch: 2, failures: 2 },
  });
});

test("an end with fields set to undefined leaves none of them", () => {
  const started = startRun({ ...NO_RECORD, dueAt: 5 }, runStart());
  if (!started.started) throw new Error("expected a start");
  const end = { ...runEnd(), dueAt: undefined, error: undefined };
  const { record } = endRun(started.record, end as never);
  expect(Object.keys(record).sort()).toEqual(
    ["epoch", "failures", "finishedAt", "outcome", "reason", "revision", "startedAt"].sort(),
  );
});
