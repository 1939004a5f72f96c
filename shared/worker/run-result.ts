import type { RunResult } from "../queue/decide-end.ts";
import type { RunAnswer } from "./run-object.ts";

/** How a run went, in the words of the protocol. */
export function resultOf({
  outcome,
  error,
  requeueAfterSeconds,
  retryAfterSeconds,
  refused,
}: RunAnswer): RunResult {
  const text = error instanceof Error ? error.message : String(error);
  switch (outcome) {
    case "success":
      if (error !== undefined) return { kind: "namespace_terminating" };
      if (requeueAfterSeconds === undefined) return { kind: "success" };
      return { kind: "requeue_after", seconds: requeueAfterSeconds };
    case "gone":
    case "released":
      return { kind: outcome };
    case "terminal_error":
      return { kind: "terminal", error: text };
    case "throttled": {
      const retryAfterMs =
        retryAfterSeconds === undefined ? {} : { retryAfterMs: retryAfterSeconds * 1_000 };
      return { kind: "throttled", error: text, ...retryAfterMs };
    }
    case "conflict":
      return { kind: "conflict", error: text };
    case "error":
      return { kind: refused ? "forbidden" : "error", error: text };
  }
}
