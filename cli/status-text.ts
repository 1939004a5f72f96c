import { nameIn } from "./finding.ts";
import { failuresOf, heldNow, type ObjectStatus, retryAt, runsNow } from "./object-status.ts";
import { oneLine } from "./one-line.ts";
import type { ObjectFacts } from "./operate-facts.ts";
import { moment, span } from "./operate-time.ts";

/** The status of an object for people: one line a fact, those that do not apply left out. */
export function statusText(facts: ObjectFacts, status: ObjectStatus): string {
  const { controller } = facts;
  const rows = [
    ["controller", `${controller.name}${status.state === null ? "" : ` (${status.state})`}`],
    ["object", objectLine(facts, status)],
    ["runs", String(status.runs)],
    ...runRows(facts),
    ["up to date", status.upToDate],
    ["in the queue", queueLine(facts, status)],
    ["code", codeLine(status)],
  ];
  const width = Math.max(...rows.map(([name = ""]) => name.length));
  const lines = rows.map(([name = "", value = ""]) => `  ${name.padEnd(width)}  ${oneLine(value)}`);
  return `${nameIn(facts)}\n${lines.join("\n")}\n`;
}

function runRows({ record, nowMs }: ObjectFacts): string[][] {
  if (!record) return [];
  const { startedAt = nowMs, finishedAt, runUntil = nowMs, reason, outcome, error, dueAt } = record;
  const rows: string[][] = [];
  if (runsNow(record, nowMs)) {
    const until = moment(runUntil, nowMs);
    rows.push(["running", `since ${span(nowMs - startedAt)} (${reason}), until ${until} at most`]);
  } else if (record.runId !== undefined) {
    rows.push(["run", `began ${moment(startedAt, nowMs)} (${reason}) and never ended`]);
  }
  if (finishedAt !== undefined) {
    const took =
      record.runId === undefined ? `, ${reason}, took ${span(finishedAt - startedAt)}` : "";
    rows.push(["last run", `${outcome} ${moment(finishedAt, nowMs)}${took}`]);
  }
  if (error !== undefined) rows.push(["error", error]);
  const failures = failuresOf(record);
  if (failures > 0) rows.push(["failures", `${failures} in a row`]);
  const retry = retryAt(record);
  if (retry !== undefined) rows.push(["next retry", moment(retry, nowMs)]);
  if (outcome === "requeue_after" && dueAt !== undefined)
    rows.push(["next timer", moment(dueAt, nowMs)]);
  if (heldNow(record, nowMs)) rows.push(["held", `until ${moment(record.heldUntil ?? 0, nowMs)}`]);
  return rows;
}

function objectLine({ object }: ObjectFacts, { object: state }: ObjectStatus): string {
  return "unknown" in object ? `unknown: ${object.unknown}` : state;
}

function queueLine({ queue: fact }: ObjectFacts, { inQueue, queue }: ObjectStatus): string {
  if ("unknown" in fact) return `unknown: ${fact.unknown}`;
  if (queue === null) return "unknown";
  const counts = `of all objects ${queue.waiting} wait and ${queue.inFlight} are taken`;
  if (inQueue === "no") return "no";
  return inQueue === "retry" ? "yes, waits out a backoff" : `not known; ${counts}`;
}

function codeLine({ revision, last }: ObjectStatus): string {
  if (revision === null) return "none is deployed";
  if (!last?.revision) return revision;
  return last.revision === revision
    ? `${revision}, which made the last run`
    : `${revision}; the last run was made by ${last.revision}`;
}
