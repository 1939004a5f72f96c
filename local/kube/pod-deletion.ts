import type { ApiObject } from "./api-object.ts";
import { timeText } from "./metadata-rules.ts";

/**
 * Seconds that a Pod that is deleted has left, 0: it goes at once. One that no node runs has nothing
 * to end. A later delete can only shorten it.
 */
export function graceSecondsOf(pod: ApiObject, asked: number | undefined): number {
  const spec = (pod.spec ?? {}) as {
    readonly nodeName?: string;
    readonly terminationGracePeriodSeconds?: number;
  };
  const { phase } = (pod.status ?? {}) as { readonly phase?: string };
  if (!spec.nodeName || phase === "Succeeded" || phase === "Failed") return 0;
  const left = pod.metadata.deletionGracePeriodSeconds ?? Number.POSITIVE_INFINITY;
  return Math.max(0, Math.min(left, asked ?? spec.terminationGracePeriodSeconds ?? 30));
}

/** The moment at which a Pod is to be gone. */
export function deletionTimeOf(graceSeconds: number, nowMs: number): string {
  return timeText(nowMs + graceSeconds * 1_000);
}
