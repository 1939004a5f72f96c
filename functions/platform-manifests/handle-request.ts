import {
  GUARD_RESOURCE,
  MANIFESTS_RESOURCE,
  REVISIONS_RESOURCE,
} from "../../shared/platform/custom-resources.ts";
import type { CustomResourceEvent, Host, Outcome } from "./custom-resource.ts";
import { handleGuard } from "./handle-guard.ts";
import { handleManifests } from "./handle-manifests.ts";
import { handleRevisions } from "./handle-revisions.ts";
import { idAfterFailure, UNKNOWN_ID } from "./physical-id.ts";
import { sendAnswer } from "./send-answer.ts";

export interface Invocation {
  readonly getRemainingTimeInMillis: () => number;
}

/** For the answer with its tries, and for what ends slowly. */
const ANSWER_MS = 45_000;
/** For what was aborted to say where it was. */
const GRACE_MS = 2_000;

/**
 * Carries out what CloudFormation asks for, and tells it what became of it; also that time is up. All
 * of it can be done again: after a lost answer the same request leads to the same.
 */
export async function handleRequest(
  event: CustomResourceEvent,
  host: Host,
  invocation: Invocation,
): Promise<void> {
  const { RequestType, ResourceType, LogicalResourceId } = event;
  host.log.info("request", { RequestType, ResourceType, LogicalResourceId });
  const limitMs = Math.max(0, invocation.getRemainingTimeInMillis() - ANSWER_MS);
  const outcome = await inTime(host, limitMs, (signal) => carriedOut(event, host, signal)).catch(
    (error: unknown): Outcome => ({ physicalId: idAfterFailure(event), failure: textOf(error) }),
  );
  const { physicalId, failure, data } = outcome;
  if (failure !== undefined) host.log.error("request failed", { LogicalResourceId, failure });
  else host.log.info("request done", { LogicalResourceId, physicalId, ...data });
  await sendAnswer(event, outcome, host);
}

async function carriedOut(
  event: CustomResourceEvent,
  host: Host,
  signal: AbortSignal,
): Promise<Outcome> {
  const { RequestType, ResourceType, PhysicalResourceId } = event;
  // A Create that failed before it could tell what it is for has made nothing.
  if (RequestType === "Delete" && PhysicalResourceId === UNKNOWN_ID)
    return { physicalId: UNKNOWN_ID };
  if (ResourceType === MANIFESTS_RESOURCE) return handleManifests(event, host, signal);
  if (ResourceType === GUARD_RESOURCE) return handleGuard(event, host, signal);
  if (ResourceType === REVISIONS_RESOURCE) return handleRevisions(event, host);
  throw new Error(
    `cannot carry out ${RequestType}: expected ${MANIFESTS_RESOURCE}, ${GUARD_RESOURCE} or ${REVISIONS_RESOURCE}, got ${ResourceType}`,
  );
}

async function inTime<T>(
  { clock }: Host,
  limitMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const over = new AbortController();
  const error = () =>
    new Error(
      `expected an end within ${Math.round(limitMs / 1000)} s, got none: the function's time is up; try again`,
    );
  const expired = async (): Promise<T> => {
    await clock.sleep(limitMs, over.signal);
    if (!over.signal.aborted) late.abort(error());
    await clock.sleep(GRACE_MS, over.signal);
    throw error();
  };
  try {
    return await Promise.race([work(late.signal), expired()]);
  } finally {
    over.abort();
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
