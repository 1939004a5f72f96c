import type { KubernetesObject } from "../../shared/api/object.ts";
import type { Clock } from "../../shared/clock.ts";
import type { PlatformProcess } from "../../shared/testing/platform-process.ts";

/** One call of a reconciler. */
export interface Run {
  readonly controller: string;
  /** "namespace/name" */
  readonly key: string;
  readonly call: "reconcile" | "finalize";
  /** Of the code that runs. */
  readonly revision: string;
  /** As the run got it. */
  readonly object: KubernetesObject;
  readonly process: PlatformProcess;
  readonly startedMs: number;
  /** When its invocation ends at the latest. */
  readonly deadlineMs: number;
  /** What else it decided on. */
  readonly read: Record<string, unknown>;
  endedMs?: number;
  /** How it ended, as the reconciler has it; absent for one that was killed. */
  ended?: "well" | "requeue" | "failed";
}

/** Something that must never be. */
export interface Violation {
  readonly checker: string;
  readonly atMs: number;
  readonly text: string;
}

/** What a simulation saw, for those who judge it. It knows nothing of what Tidegate says of itself. */
export class History {
  readonly runs: Run[] = [];
  readonly violations: Violation[] = [];
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #byKey = new Map<string, Run[]>();
  /** By uid, the version that was the first with a deletionTimestamp. */
  readonly #deletedAt = new Map<string, number>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  begin(run: Run): void {
    this.runs.push(run);
    const id = `${run.controller} ${run.key}`;
    const before = this.#byKey.get(id);
    if (before) before.push(run);
    else this.#byKey.set(id, [run]);
  }

  end(run: Run, ended: NonNullable<Run["ended"]>): void {
    run.endedMs = this.#clock.monotonicMs();
    run.ended = ended;
  }

  /** Of one object by one controller, in order. */
  runsOf(controller: string, key: string): readonly Run[] {
    return this.#byKey.get(`${controller} ${key}`) ?? [];
  }

  /** Told of each version of an object that is marked for deletion. */
  marked({ metadata }: KubernetesObject): void {
    const { uid, resourceVersion } = metadata;
    if (!this.#deletedAt.has(uid)) this.#deletedAt.set(uid, Number(resourceVersion));
  }

  /** Whether this version was marked for deletion, whatever it says itself. */
  wasMarked({ metadata }: KubernetesObject): boolean {
    const { uid, resourceVersion } = metadata;
    return Number(resourceVersion) >= (this.#deletedAt.get(uid) ?? Number.POSITIVE_INFINITY);
  }

  violate(checker: string, text: string): void {
    this.violations.push({ checker, atMs: this.#clock.monotonicMs(), text });
  }
}
