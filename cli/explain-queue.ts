import { type ExplainFacts, type Finding, nameIn } from "./finding.ts";
import { known } from "./operate-facts.ts";

/** As long as SQS keeps what waits. */
const RETENTION = "14 days";

/** What the queue, its function and the dead letters tell. */
export function queueFindings(facts: ExplainFacts): Finding[] {
  return [...pauseFindings(facts), ...deadLetterFindings(facts), ...fillFindings(facts)];
}

function pauseFindings({ controller: { name }, runState }: ExplainFacts): Finding[] {
  if (!("value" in runState)) {
    const text = `whether ${name} is paused could not be found out: ${runState.unknown}`;
    return [{ code: "pause-unknown", level: "info", text }];
  }
  switch (runState.value) {
    case "running":
      return [];
    case "pausing":
    case "paused":
      return [
        {
          code: runState.value,
          level: "problem",
          text: `${name} is ${runState.value}: no run of it begins; changes wait in its queue for up to ${RETENTION}, and timers in its records`,
          todo: `tidegate resume ${name}`,
        },
      ];
    case "missing":
      return [
        {
          code: "no-function",
          level: "problem",
          text: `nothing takes messages from the queue of ${name}`,
          todo: "deploy it, or start tidegate dev with its folder among the functions",
        },
      ];
  }
}

function deadLetterFindings(facts: ExplainFacts): Finding[] {
  const letters = known(facts.deadLetters) ?? [];
  const [first] = letters;
  if (!first) return [];
  const error = first.error === undefined ? "" : `: ${first.error}`;
  return [
    {
      code: "dead-letter",
      level: "problem",
      text: `${letters.length} of its requests ended in the dead-letter queue${error}`,
      todo: `mend what failed, then: tidegate redrive ${facts.controller.name}`,
    },
  ];
}

function fillFindings(facts: ExplainFacts): Finding[] {
  if (!("value" in facts.queue)) {
    const text = `the queue cannot be read: ${facts.queue.unknown}`;
    return [{ code: "queue-unknown", level: "problem", text }];
  }
  const { waiting, inFlight } = facts.queue.value;
  if (waiting === 0) return [];
  const text = `about ${waiting} requests of the controller wait in its queue and ${inFlight} are taken; one for ${nameIn(facts)} may be among them`;
  return [{ code: "backlog", level: "waiting", text }];
}
