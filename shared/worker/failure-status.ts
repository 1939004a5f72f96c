import type { Condition } from "../api/condition.ts";
import { customKind, type KubernetesObject } from "../api/object.ts";
import { ReconcileError, TerminalError } from "../api/result.ts";
import { KubeError } from "../kube/kube-error.ts";
import { conditionsOf } from "./conditions.ts";
import { appliedBy, extractOwned, type ManagedFields } from "./owned-fields.ts";
import type { RunScope } from "./run-scope.ts";
import { traitsOf, writeStatus } from "./status.ts";

/** A condition's message may have 32,768 characters; people read the first lines. */
const MAX_MESSAGE_CHARACTERS = 1_024;

/**
 * Writes what a failed run has to say: the status that its error carries, else `Ready=False` beside
 * all that we said before. The latter for custom resources only, and where the server takes it; a
 * built-in kind's conditions are not ours. Never rejects: the failure itself matters more.
 */
export async function writeFailureStatus(
  scope: RunScope,
  object: KubernetesObject,
  error: unknown,
  managers: readonly ManagedFields[],
): Promise<void> {
  const carrier = error instanceof TerminalError || error instanceof ReconcileError;
  try {
    if (carrier && error.status) return await writeStatus(scope, object, error.status);
    if (!customKind(object) || traitsOf(scope).noConditions) return;
    const before = ownStatus(object, managers, scope.controller.fieldManager);
    const kept = conditionsOf(before).filter(({ type }) => type !== "Ready");
    await writeStatus(scope, object, { ...before, conditions: [notReady(error)] }, kept);
  } catch (failure) {
    // Safe: the run has failed already, and its retry writes the status again.
    if (!carrier && refusedForGood(failure)) traitsOf(scope).noConditions = true;
    scope.log.warn("status of a failed run not written", { error: failure });
  }
}

function notReady(error: unknown): Partial<Condition> {
  const message = error instanceof Error ? error.message : String(error);
  return {
    type: "Ready",
    status: "False",
    reason: error instanceof TerminalError ? "TerminalError" : "Error",
    message: message.slice(0, MAX_MESSAGE_CHARACTERS),
  };
}

/** What we applied to the status before. An apply that left it out would remove it. */
function ownStatus(
  object: KubernetesObject,
  managers: readonly ManagedFields[],
  manager: string,
): Record<string, unknown> {
  const { status } = object as { status?: object };
  // A server that shows no managers at all (a fake one): then nothing is anybody else's.
  if (managers.length === 0) return { ...status };
  const set = appliedBy(managers, manager, "status")?.fieldsV1?.["f:status"];
  return set && status ? { ...(extractOwned(status, set) as object) } : {};
}

function refusedForGood(error: unknown): boolean {
  const refusal = error instanceof KubeError ? error : undefined;
  return refusal ? [400, 422, 500].includes(refusal.status) : hasCause404(error);
}

function hasCause404(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof KubeError && cause.status === 404;
}
