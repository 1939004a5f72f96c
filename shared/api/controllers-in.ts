import type { Controller } from "./controller.ts";

/** The controllers that a module exports. */
export function controllersIn(module: object): readonly Controller[] {
  return Object.values(module).filter(isController);
}

function isController(value: unknown): value is Controller {
  return (
    value !== null &&
    typeof value === "object" &&
    "name" in value &&
    "for" in value &&
    "maxConcurrentReconciles" in value &&
    "resyncSeconds" in value
  );
}
