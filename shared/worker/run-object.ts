import type { KubernetesObject } from "../api/object.ts";
import type { Context } from "../api/reconciler.ts";
import type { Result } from "../api/result.ts";
import type { Use } from "../api/use.ts";
import { KubeError } from "../kube/kube-error.ts";
import { createApply, withoutManagers } from "./apply.ts";
import { checkResult } from "./check-result.ts";
import { classifyError } from "./classify-error.ts";
import { createContextClient } from "./context-client.ts";
import { writeFailureStatus } from "./failure-status.ts";
import { carriesOurs, ensureFinalizers, ownsFinalizer, removeFinalizers } from "./finalizers.ts";
import { grantsOf } from "./grants.ts";
import { type ManagedFields, managersOf } from "./owned-fields.ts";
import { createEventRecorder } from "./record-event.ts";
import { reportFailure } from "./report-failure.ts";
import type { RunScope } from "./run-scope.ts";
import { selects } from "./selection.ts";
import { writeStatus } from "./status.ts";

/** A reconciler of any definition. */
export interface AnyReconciler {
  readonly reconcile: (object: never, context: never) => Promise<unknown>;
  readonly finalize?: (object: never, context: never) => Promise<unknown>;
  readonly gone?: (key: never, context: never) => Promise<unknown>;
}

/** How a run went, and of which object. */
export interface RunAnswer {
  readonly outcome:
    | "success"
    | "released"
    | "gone"
    | "error"
    | "terminal_error"
    | "conflict"
    | "throttled";
  readonly error?: unknown;
  readonly requeueAfterSeconds?: number | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The API server did not allow a call. */
  readonly refused?: boolean;
  /** The object that the run decided on; absent where there is none. */
  readonly object?: KubernetesObject | undefined;
}

/** An object outside the selection that carries our finalizer is looked at again so often. */
const UNSELECTED_SECONDS = 300;

/**
 * One run: reads the object as it is now (Q3), brings finalizers in order, calls the reconciler, and
 * writes the status. Never rejects; a failure is an answer.
 */
export async function runObject(scope: RunScope, reconciler: AnyReconciler): Promise<RunAnswer> {
  const run: Running = { scope, reconciler, managers: [] };
  try {
    return { ...(await reconcileObject(run)), object: run.object };
  } catch (error) {
    const failure = classifyError(error);
    if (run.object && failure.outcome !== "gone" && failure.outcome !== "success") {
      await reportFailure(scope, run.object, error);
      const told = failure.outcome === "error" || failure.outcome === "terminal_error";
      if (told && !run.statusInDoubt)
        await writeFailureStatus(scope, run.object, error, run.managers);
    }
    const refused = scope.refusalOf(error) !== undefined;
    return { ...failure, error, refused, object: run.object };
  }
}

interface Running {
  readonly scope: RunScope;
  readonly reconciler: AnyReconciler;
  /** Set as soon as it was read. */
  object?: KubernetesObject;
  managers: readonly ManagedFields[];
  /** The status was sent and not answered: it may stand there, and another one must not replace it. */
  statusInDoubt?: boolean;
}

type Answer = Pick<RunAnswer, "outcome" | "requeueAfterSeconds">;

async function reconcileObject(run: Running): Promise<Answer> {
  const { scope, reconciler } = run;
  const { controller, kube, key, sightings } = scope;
  const raw = await kube.get(controller.for, key, { raw: true });
  if (!raw || replaced(scope, raw)) await tellGone(run);
  if (!raw) return { outcome: "gone" };
  run.managers = managersOf(raw);
  run.object = withoutManagers(raw);
  sightings.read(run.object);
  scope.ownWrites.saw(run.object);
  if (!reconcilable(scope, run.object)) return endOrRelease(run, run.object);
  run.object = await ensureFinalizers(scope, run.object);
  // A conflict may have brought a newer object.
  if (!reconcilable(scope, run.object)) return endOrRelease(run, run.object);
  const context = contextOf(scope, run.object);
  // A machine that stood still since the read may bring an object that another run finalized by now.
  scope.checkTime(`reconcile ${key.name}`);
  const returned = await reconciler.reconcile(run.object as never, context as never);
  return finish(run, run.object, checkResult(returned, "reconcile"));
}

/** The record is of an object that had this name before: that one is gone. */
function replaced({ record }: RunScope, { metadata }: KubernetesObject): boolean {
  const settled = record.outcome === "gone" || record.outcome === "released";
  return record.uid !== undefined && record.uid !== metadata.uid && !settled;
}

async function tellGone({ scope, reconciler }: Running): Promise<void> {
  if (!reconciler.gone) return;
  const { controller, key } = scope;
  const { apiVersion, kind } = controller.for;
  scope.checkTime(`tell of ${key.name}, which is gone`);
  const remains = {
    apiVersion,
    kind,
    metadata: { ...key, uid: scope.record.uid ?? "", resourceVersion: "", creationTimestamp: "" },
  };
  await reconciler.gone(key as never, contextOf(scope, remains) as never);
}

/** Never on a terminating object: foreground deletion would not end while children are made anew. */
function reconcilable({ controller }: RunScope, object: KubernetesObject): boolean {
  return !object.metadata.deletionTimestamp && selects(controller, object);
}

async function endOrRelease(run: Running, object: KubernetesObject): Promise<Answer> {
  const { controller } = run.scope;
  const terminating = object.metadata.deletionTimestamp !== undefined;
  if (terminating && (selects(controller, object) || carriesOurs(controller, object))) {
    return terminate(run, object);
  }
  return release(run, object);
}

/** Finalizes an object that is being deleted; without a finalizer of ours nothing is done. */
async function terminate(run: Running, object: KubernetesObject): Promise<Answer> {
  const { scope, reconciler } = run;
  if (ownsFinalizer(scope.controller, object)) {
    const context = contextOf(scope, object);
    const startedMs = scope.clock.monotonicMs();
    scope.checkTime(`finalize ${scope.key.name}`);
    const returned = await reconciler.finalize?.(object as never, context as never);
    const seconds = (scope.clock.monotonicMs() - startedMs) / 1_000;
    scope.metrics.observe("FinalizerSeconds", seconds, { controller: scope.controller.name });
    const result = checkResult(returned, "finalize");
    if (result.requeueAfterSeconds !== undefined) return finish(run, object, result);
  }
  await removeFinalizers(scope, object);
  return { outcome: "success" };
}

/**
 * Leaves an object alone that is outside namespaces or selectors. One that carries our finalizer
 * keeps it, for `finalize` belongs to its deletion; since no watch may tell of that, it is looked at
 * again and again.
 */
async function release({ scope }: Running, object: KubernetesObject): Promise<Answer> {
  if (!ownsFinalizer(scope.controller, object)) return { outcome: "released" };
  scope.log.warn("object outside the selection keeps its finalizer until it is deleted");
  return { outcome: "success", requeueAfterSeconds: UNSELECTED_SECONDS };
}

async function finish(run: Running, object: KubernetesObject, result: Result): Promise<Answer> {
  const { status, requeueAfterSeconds } = result;
  if (status !== undefined) {
    await writeStatus(run.scope, object, status).catch((error: unknown) => {
      run.statusInDoubt = !(error instanceof KubeError);
      throw error;
    });
  }
  return { outcome: "success", requeueAfterSeconds };
}

function contextOf(scope: RunScope, object: KubernetesObject): Context<KubernetesObject, Use> {
  const { signal, log, cluster } = scope;
  const grants = grantsOf(scope);
  return {
    apply: createApply(scope, grants, object) as Context<KubernetesObject, Use>["apply"],
    client: createContextClient(scope, grants),
    recordEvent: createEventRecorder(scope, object),
    signal,
    log,
    cluster,
  };
}
