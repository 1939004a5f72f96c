import { finalizersOf } from "../shared/api/controller.ts";
import type { KubernetesObject } from "../shared/api/object.ts";
import { type ExplainFacts, type Finding, nameIn, orAtOnce } from "./finding.ts";

/** What follows from the object being deleted, gone, or out of sight. */
export function deletionFindings(facts: ExplainFacts): Finding[] {
  const { object } = facts;
  if (!("value" in object)) {
    const text = `${nameIn(facts)} cannot be read: ${object.unknown}`;
    return [{ code: "object-unknown", level: "problem", text }];
  }
  if (!object.value) return [goneFinding(facts)];
  const { deletionTimestamp } = object.value.metadata;
  return deletionTimestamp === undefined ? [] : terminating(facts, object.value, deletionTimestamp);
}

function goneFinding(facts: ExplainFacts): Finding {
  const { record, controller } = facts;
  if (record === undefined) {
    return {
      code: "never-there",
      level: "problem",
      text: `there is no ${nameIn(facts)}, and ${controller.name} never ran for one`,
      todo: "check the name, the namespace (-n) and the cluster",
    };
  }
  if (record.outcome === "gone") {
    const text = `${nameIn(facts)} is gone, and the last run found that`;
    return { code: "gone", level: "info", text };
  }
  return {
    code: "gone-unseen",
    level: "waiting",
    text: `${nameIn(facts)} is gone, and no run has found that yet`,
    todo: orAtOnce(facts, "the watcher asks for one by itself"),
  };
}

function terminating(
  { controller }: ExplainFacts,
  { metadata }: KubernetesObject,
  since: string,
): Finding[] {
  const ours = finalizersOf(controller);
  const { finalizers = [] } = metadata;
  const own = finalizers.filter((each) => ours.includes(each));
  const others = finalizers.filter((each) => !own.includes(each));
  const begun = `it is being deleted since ${since}, so that reconcile is not called any more`;
  const found: Finding[] = [];
  if (own.length > 0) {
    const text = `${begun}; finalize must end well before ${own.join(", ")} is removed`;
    found.push({ code: "finalizing", level: "waiting", text });
  }
  if (others.length > 0) {
    const text = `${begun}; it waits for others to remove ${others.join(", ")}`;
    const todo = "look at who put these finalizers there";
    found.push({ code: "other-finalizers", level: "waiting", text, todo });
  }
  return found.length > 0 ? found : [{ code: "terminating", level: "waiting", text: begun }];
}
