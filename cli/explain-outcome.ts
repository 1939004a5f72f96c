import type { ObjectRecord } from "../shared/queue/record.ts";
import { excluded } from "./explain-selection.ts";
import { COMES_OR_NOT, type ExplainFacts, type Finding, orAtOnce } from "./finding.ts";
import { failuresOf, heldNow, retryAt, runsNow } from "./object-status.ts";
import { known } from "./operate-facts.ts";
import { moment } from "./operate-time.ts";

/** So late a timer or a retry may be while all is well. */
const LATE_MS = 30_000;

/** What the record tells of runs: the one that goes on, the last one, and those to come. */
export function outcomeFindings(facts: ExplainFacts): Finding[] {
  const { record } = facts;
  if (!record) return neverRan(facts);
  return [
    ...lockFindings(facts, record),
    ...lastFindings(facts, record),
    ...dueFindings(facts, record),
    ...heldFindings(facts, record),
  ];
}

function neverRan(facts: ExplainFacts): Finding[] {
  const object = known(facts.object);
  if (!object || excluded(facts.controller, object)) return [];
  const text = "no run was ever started for it";
  const todo = orAtOnce(facts, COMES_OR_NOT);
  return [{ code: "never-ran", level: "waiting", text, todo }];
}

function lockFindings(facts: ExplainFacts, record: ObjectRecord): Finding[] {
  const { nowMs } = facts;
  const { runId, runUntil = nowMs, startedAt = nowMs, reason } = record;
  if (runId === undefined) return [];
  const begun = `run ${record.epoch} (${reason}) began ${moment(startedAt, nowMs)}`;
  if (runsNow(record, nowMs)) {
    const text = `${begun} and goes on, until ${moment(runUntil, nowMs)} at most; what changes meanwhile runs after it`;
    return [{ code: "running", level: "waiting", text }];
  }
  return [
    {
      code: "run-died",
      level: "problem",
      text: `${begun} and never ended: its process died, or was stopped at its deadline; the request comes back after the queue's visibility timeout`,
      todo: orAtOnce(facts, "look at the function's log for the cause"),
    },
  ];
}

function lastFindings(facts: ExplainFacts, record: ObjectRecord): Finding[] {
  const { outcome, error = "no text", finishedAt = facts.nowMs, reason } = record;
  const when = moment(finishedAt, facts.nowMs);
  // While one goes on, the record has its reason.
  const why = record.runId === undefined ? ` (${reason})` : "";
  const one = (code: string, level: Finding["level"], text: string, todo?: string): Finding[] => [
    { code, level, text, ...(todo === undefined ? {} : { todo }) },
  ];
  switch (outcome) {
    case undefined:
    case "gone":
      return []; // A first run, of which all is said; or deletion tells.
    case "success":
    case "requeue_after":
      return one("succeeded", "info", `the last run${why} ended well ${when}`);
    case "error":
      return one(
        "failing",
        "problem",
        `the last run failed ${when}, ${times(failuresOf(record))} in a row: ${error}`,
        "mend the cause; a change of the object, or of the code, runs it at once",
      );
    case "throttled":
      return one("throttled", "waiting", `the API server asked for less ${when}: ${error}`);
    case "conflict":
      return one(
        "conflict",
        "waiting",
        `others changed the same object meanwhile, ${when}: ${error}`,
      );
    case "terminal_error":
      return one(
        "terminal-error",
        "problem",
        `the last run ended with a TerminalError ${when}, which is not retried: ${error}`,
        "change the object as it says",
      );
    case "given_up":
      return one(
        "given-up",
        "problem",
        `after ${times(record.failures)} it was given up ${when}: ${error}`,
        `mend the cause, then: tidegate redrive ${facts.controller.name}; a change of the object runs it, too`,
      );
    case "released":
      return one("released", "info", `the last run found it outside of the selection ${when}`);
  }
}

/** Retries and timers. */
function dueFindings(facts: ExplainFacts, record: ObjectRecord): Finding[] {
  const { nowMs } = facts;
  const retry = retryAt(record);
  const at = retry ?? record.dueAt;
  if (at === undefined || runsNow(record, nowMs)) return [];
  const what = retry === undefined ? "the timer of its result" : "its retry";
  if (at > nowMs - LATE_MS) {
    const code = retry === undefined ? "timer" : "retry";
    return [{ code, level: "waiting", text: `${what} comes ${moment(at, nowMs)}` }];
  }
  return [
    {
      code: "overdue",
      level: "problem",
      text: `${what} was due ${moment(at, nowMs)}, and did not come`,
      todo: orAtOnce(
        facts,
        "a watcher that leads sends it by itself, and a function that is not paused runs it",
      ),
    },
  ];
}

function heldFindings({ nowMs }: ExplainFacts, record: ObjectRecord): Finding[] {
  if (!heldNow(record, nowMs)) return [];
  const until = moment(record.heldUntil ?? nowMs, nowMs);
  return [
    {
      code: "wakes-itself",
      level: "problem",
      text: `it keeps waking itself by its own writes, so that its changes wait: the next may run ${until}`,
      todo: "the function's log names the fields that it writes differently each time; write the same for the same",
    },
  ];
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
