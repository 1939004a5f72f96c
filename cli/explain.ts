import { deletionFindings } from "./explain-deletion.ts";
import { freshnessFindings } from "./explain-freshness.ts";
import { outcomeFindings } from "./explain-outcome.ts";
import { queueFindings } from "./explain-queue.ts";
import { selectionFindings } from "./explain-selection.ts";
import { watcherFindings } from "./explain-watcher.ts";
import type { ExplainFacts, Finding } from "./finding.ts";

const PARTS = [
  queueFindings,
  watcherFindings,
  selectionFindings,
  deletionFindings,
  outcomeFindings,
  freshnessFindings,
];

const LEVELS = ["problem", "waiting", "info"];

/** Why an object was reconciled, or was not: problems first, then what is waited for, then the rest. Pure. */
export function explain(facts: ExplainFacts): readonly Finding[] {
  const findings = PARTS.flatMap((part) => part(facts));
  return findings.sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
}
