import type { Controller } from "../api/controller.ts";
import type { AnyReconciler } from "./run-object.ts";

/**
 * Fails where the reconciler lacks what the controller asks for. The types say the same; code
 * without types would take finalizers off without having cleaned up.
 */
export function checkReconciler(
  { name, finalizer }: Pick<Controller, "name" | "finalizer">,
  { reconcile, finalize }: Partial<AnyReconciler>,
): void {
  const fail = (what: string, got: unknown): never => {
    throw new Error(
      `cannot run controller ${name}: expected its reconciler to have ${what}, got ${typeof got}`,
    );
  };
  if (typeof reconcile !== "function") fail("a function reconcile", reconcile);
  if (finalizer !== undefined && typeof finalize !== "function") {
    fail(`a function finalize, for the controller has the finalizer ${finalizer}`, finalize);
  }
}
