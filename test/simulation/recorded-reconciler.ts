import type { KubernetesObject } from "../../shared/api/object.ts";
import type { PlatformProcess } from "../../shared/testing/platform-process.ts";
import type { AnyReconciler } from "../../shared/worker/run-object.ts";
import type { EventLog } from "./event-log.ts";
import type { History, Run } from "./history.ts";

export interface Recording {
  readonly controller: string;
  readonly revision: string;
  readonly process: PlatformProcess;
  readonly deadlineMs: number;
  readonly history: History;
  readonly log: EventLog;
  readonly nowMs: () => number;
  /** The code, which notes what it reads. */
  readonly code: (read: Run["read"]) => AnyReconciler;
}

interface Context {
  readonly apply: (...given: unknown[]) => Promise<unknown>;
}

/**
 * A reconciler in one invocation, each of whose calls is noted. Three checks are made on the spot: that
 * no other run of the object is on, that nothing is written once another one has begun, and that no
 * object is reconciled that is being deleted.
 */
export function recordedReconciler(recording: Recording): AnyReconciler {
  const call =
    (name: Run["call"]) =>
    async (object: KubernetesObject, context: Context): Promise<unknown> => {
      const run = begin(recording, name, object);
      const code = recording.code(run.read)[name] as
        | ((object: KubernetesObject, context: Context) => Promise<unknown>)
        | undefined;
      try {
        const answer = await code?.(object, {
          ...context,
          apply: guarded(recording, run, context),
        });
        end(recording, run, requeues(answer) ? "requeue" : "well");
        return answer;
      } catch (error) {
        end(recording, run, "failed");
        throw error;
      }
    };
  return { reconcile: call("reconcile"), finalize: call("finalize") } as unknown as AnyReconciler;
}

function begin(recording: Recording, call: Run["call"], object: KubernetesObject): Run {
  const { history, log, controller, revision, process, deadlineMs } = recording;
  const { namespace = "", name, resourceVersion } = object.metadata;
  const key = `${namespace}/${name}`;
  const startedMs = recording.nowMs();
  const common = { controller, key, call, revision, object, process };
  const run: Run = { ...common, startedMs, deadlineMs, read: {} };
  for (const other of history.runsOf(controller, key)) {
    const over = other.endedMs !== undefined || other.process.killed;
    if (over || other.deadlineMs <= startedMs) continue;
    history.violate(
      "one run at a time",
      `${controller} ${key}: one began at ${other.startedMs} ms`,
    );
  }
  if (call === "reconcile" && history.wasMarked(object))
    history.violate("nothing reconciled that is being deleted", `${controller} ${key}`);
  history.begin(run);
  log.add("run", `${controller} ${call} ${key}@${resourceVersion} by ${revision}`);
  return run;
}

function end({ history, log }: Recording, run: Run, ended: NonNullable<Run["ended"]>): void {
  history.end(run, ended);
  log.add("end", `${run.controller} ${run.key} ${ended}`);
}

/** Calls that are made after another run began must be refused. */
function guarded({ history }: Recording, run: Run, { apply }: Context): Context["apply"] {
  return async (...given) => {
    const late = history.runsOf(run.controller, run.key).at(-1) !== run;
    const applied = await apply(...given);
    if (late) history.violate("one run at a time", `${run.controller} ${run.key}: wrote after it`);
    return applied;
  };
}

function requeues(answer: unknown): boolean {
  const { requeueAfterSeconds } = (answer ?? {}) as { readonly requeueAfterSeconds?: number };
  return requeueAfterSeconds !== undefined;
}
