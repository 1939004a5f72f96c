import type { Controller } from "../api/controller.ts";
import type { Reconciler } from "../api/reconciler.ts";

/** Each controller with the code that belongs to it. */
export type ControllerPairs<C extends readonly Controller[]> = {
  readonly [I in keyof C]: readonly [controller: C[I], reconciler: Reconciler<C[I]>];
};

export interface EnvironmentOptions<C extends readonly Controller[]> {
  readonly controllers: ControllerPairs<C>;
  /** CustomResourceDefinitions, as objects or YAML. A kind of a controller without one takes every field. */
  readonly crds?: readonly (string | object)[];
  /** Whether `settled` fails where a second run would write; default true. */
  readonly idempotent?: boolean;
  /** Runs of one object within one `settled` after which it fails; default 100. */
  readonly maxRuns?: number;
}
