import type { DeadLetter } from "./dead-letters.ts";
import type { Fact, ObjectFacts } from "./operate-facts.ts";
import { keyText } from "./operate-key.ts";
import type { LeaseFact } from "./operate-lease.ts";

/** One thing that explains why an object was, or was not, reconciled. */
export interface Finding {
  /** Stable, for programs. */
  readonly code: string;
  /** "problem": it is not as it should be; "waiting": something comes by itself; "info": all is well. */
  readonly level: "problem" | "waiting" | "info";
  /** A sentence. */
  readonly text: string;
  /** What mends it. */
  readonly todo?: string;
}

/** All that `explain` knows of one object and one controller. */
export interface ExplainFacts extends ObjectFacts {
  readonly lease: Fact<LeaseFact>;
  /** Tells the cluster that was read from others. */
  readonly clusterUid: Fact<string>;
  /** The sources of the controller, where the watcher could be asked. */
  readonly sources: Fact<readonly SourceFact[]>;
  /** Those of this object. */
  readonly deadLetters: Fact<readonly DeadLetter[]>;
  /** Objects that it owns or uses and that the last run did not see as they are, "Deployment a/b". */
  readonly unseen: Fact<readonly string[]>;
}

/** What a watcher says of one of its sources. */
export interface SourceFact {
  readonly name: string;
  readonly controllers: readonly string[];
  readonly state: string;
  readonly reason?: string;
}

/** "Website default/hello" */
export function nameIn({ controller, key }: Pick<ObjectFacts, "controller" | "key">): string {
  return `${controller.for.kind} ${keyText(key)}`;
}

/** Nothing here tells whether the function's code loads: only its log does. */
export const COMES_OR_NOT =
  "if all else here is well, it comes by itself; if it does not, look at the function's log: code that does not load runs nothing";

/** Advice to ask for a run of the object, beside what is said first; that alone while no run begins. */
export function orAtOnce(facts: ObjectFacts, first: string): string {
  const { controller, key, runState } = facts;
  if ("value" in runState && runState.value !== "running") return first;
  const namespace = key.namespace === "" ? "" : ` -n ${key.namespace}`;
  return `${first}; at once by: tidegate reconcile ${controller.for.plural} ${key.name}${namespace}`;
}
