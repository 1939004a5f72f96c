import type { NewCondition } from "./condition.ts";
import type { KubernetesObject } from "./object.ts";
import type { StatusOf } from "./resource.ts";

/** A status as a reconciler returns it: `observedGeneration` and times are the framework's. */
export type NewStatus<S> = {
  readonly [F in keyof S as Exclude<F, "observedGeneration">]: F extends "conditions"
    ? readonly NewCondition[]
    : S[F];
};

/** What a reconcile answers. Nothing at all is fine, too. */
export interface Result<T extends KubernetesObject = KubernetesObject> {
  /** The whole status that this controller has to say; what it no longer returns is removed. No wall-clock times. */
  readonly status?: NewStatus<StatusOf<T>>;
  /** Reconciles again after so many seconds at the latest; 0 is allowed, fractions are too. At most 1 year. */
  readonly requeueAfterSeconds?: number | undefined;
}

/** What an error can say beside its message. */
export interface ErrorDetails {
  /** Written like the status of a result. */
  readonly status?: object;
  readonly cause?: unknown;
}

class RunError extends Error {
  readonly status?: object;

  constructor(message: string, { status, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    if (status) this.status = status;
  }
}

/** Fails a run for good: it is not repeated until the object changes. */
export class TerminalError extends RunError {
  override readonly name = "TerminalError";
}

/** Fails a run, which is repeated with backoff, and says what the status is meanwhile. */
export class ReconcileError extends RunError {
  override readonly name = "ReconcileError";
}
