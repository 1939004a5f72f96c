import type { Logger } from "../shared/api/log.ts";
import type { Metrics } from "../shared/telemetry/metrics.ts";

/** What went wrong in a function of a definition, and where. */
export interface Fault {
  /** "predicate", "usedBy", ... */
  readonly part: string;
  readonly controller: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Calls functions of definitions, which may throw whenever an object is not what they expect. */
export interface UserCode {
  /** The function's answer; `instead` when it throws, which is logged. */
  readonly ask: <T>(fault: Fault, instead: T, call: () => T) => T;
}

/** One log line a fault and minute: a predicate that throws does so for every object. */
const QUIET_MS = 60_000;

/** @param monotonicMs Time for limiting the log. */
export function userCode(log: Logger, metrics: Metrics, monotonicMs: () => number): UserCode {
  const loggedAtMs = new Map<string, number>();
  const report = (fault: Fault, error: unknown) => {
    const { part, controller, kind } = fault;
    metrics.count("DefinitionErrors", { controller, part });
    const id = `${controller}/${part}/${kind}`;
    const nowMs = monotonicMs();
    if (nowMs - (loggedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
    loggedAtMs.set(id, nowMs);
    log.error("function of a controller's definition threw; the object is treated as changed", {
      ...fault,
      error,
    });
  };
  return {
    ask: (fault, instead, call) => {
      try {
        return call();
      } catch (error) {
        report(fault, error);
        return instead;
      }
    },
  };
}
