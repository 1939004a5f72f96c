import { settled } from "../shared/queue/covered.ts";
import { excluded } from "./explain-selection.ts";
import { COMES_OR_NOT, type ExplainFacts, type Finding, orAtOnce } from "./finding.ts";
import { known } from "./operate-facts.ts";
import { sightOf } from "./operate-sight.ts";

/** Whether the last run was made by the deployed code, and saw what is there now. */
export function freshnessFindings(facts: ExplainFacts): Finding[] {
  const { controller, record, revision } = facts;
  const object = known(facts.object);
  if (!object || !record || record.runId !== undefined || excluded(controller, object)) return [];
  if (!settled(record)) return [];
  if (revision !== undefined && record.revision !== revision) return [otherCode(facts)];
  const { kind, metadata } = object;
  if (metadata.deletionTimestamp !== undefined) return []; // Each change of it runs.
  const sight = sightOf(controller, record, { kind: controller.for, object });
  if (sight === "same") return [covered(facts), ...relatedFindings(facts)];
  if (sight === "unknown") {
    const text = `what the last run saw is not known (over 64 objects, or none noted), so that each change of ${kind} ${metadata.name} makes a run`;
    return [{ code: "seen-unknown", level: "info", text }];
  }
  return [changed(facts), ...relatedFindings(facts)];
}

function otherCode({ record, revision }: ExplainFacts): Finding {
  return {
    code: "other-code",
    level: "waiting",
    text: `the last run was made by other code (${record?.revision}) than is deployed (${revision}): the watcher runs every object again, a few at a time`,
    todo: COMES_OR_NOT,
  };
}

function covered({ controller }: ExplainFacts): Finding {
  const compares = controller.predicate ?? controller.eventFilter;
  const text = compares
    ? "the last run saw the object as it is in all that the predicate compares: changes of the rest make no run"
    : "the last run saw the object exactly as it is: there is nothing to run for";
  return { code: "up-to-date", level: "info", text };
}

function changed(facts: ExplainFacts): Finding {
  return {
    code: "changed",
    level: "waiting",
    text: "the object is not as the last run saw it first, or that run changed it by hand: another run must come",
    todo: orAtOnce(facts, COMES_OR_NOT),
  };
}

function relatedFindings({ unseen }: ExplainFacts): Finding[] {
  const names = known(unseen) ?? [];
  if (names.length === 0) return [];
  const shown = names.slice(0, NAMES).join(", ");
  const more = names.length > NAMES ? ` and ${names.length - NAMES} more` : "";
  const text = `the last run did not see these as they are now: ${shown}${more}; their changes run it again, where their predicate lets them pass`;
  return [{ code: "related-changed", level: "waiting", text }];
}

/** So many objects are named. */
const NAMES = 5;
