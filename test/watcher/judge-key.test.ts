import { expect, test } from "@jest/globals";
import { NO_RECORD, type ObjectRecord } from "../../shared/queue/record.ts";
import { judgeKey, type Verdict } from "../../watcher/judge-key.ts";

const key = { cluster: "c", controller: "widgets", namespace: "a", name: "web" };

const RAN = { epoch: 3, revision: "r2" };
const LIVE = { runId: "one", runUntil: 9_000 };

test.each<[string, Partial<ObjectRecord>, { died?: boolean; first: Verdict; again: Verdict }]>([
  ["r2 ran last, and nobody does now", RAN, { first: "covered", again: "covered" }],
  ["r1 ran last", { ...RAN, revision: "r1" }, { first: "revision", again: "revision" }],
  ["some code is at work on it", { ...RAN, ...LIVE }, { first: "revision", again: "covered" }],
  [
    "some code is at work on it, and r1 was before",
    { ...RAN, ...LIVE, revision: "r1" },
    { first: "revision", again: "revision" },
  ],
  [
    "its run died",
    { ...RAN, ...LIVE, revision: "r1" },
    { died: true, first: "revision", again: "covered" },
  ],
  ["it never ran", {}, { first: "changed", again: "changed" }],
])("a pass for r2, made and made again: %s", (_, change, { died = false, first, again }) => {
  const record = { ...NO_RECORD, ...change };
  const judged = { key, record, gone: false, mapped: true, died, covered: () => false };
  const verdicts = [false, true].map((repeated) =>
    judgeKey(judged, { revision: "r2", all: false, revisionOnly: true, repeated }),
  );
  expect(verdicts).toEqual([first, again]);
});
