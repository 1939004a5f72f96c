import type { Warn } from "./admission.ts";
import type { ApiObject } from "./api-object.ts";
import type { Part } from "./built-in-visit.ts";
import { unevaluatedRules } from "./cel-definition-faults.ts";
import { versionsOf } from "./crd-faults-versions.ts";
import { checkStructural } from "./crd-schema-structural.ts";
import { isTerminating } from "./crd-status.ts";
import { DEFINITIONS } from "./live-catalog.ts";
import { forbidden } from "./registry-errors.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ObjectStore } from "./store.ts";

/** Throws an ApiError 403 where the definition of a new custom resource is being deleted. */
export function checkOpen(
  store: ObjectStore,
  resource: ServedResource,
  { metadata }: ApiObject,
): void {
  const { group, plural } = resource;
  const definition = store.get({
    resource: DEFINITIONS,
    namespace: "",
    name: `${plural}.${group}`,
  });
  if (!definition || !isTerminating(definition)) return;
  const why = "create not allowed while custom resource definition is terminating";
  throw forbidden(resource, metadata.name, why);
}

/** Tells the client of rules in a definition's schemas that are right, and not evaluated by this server. */
export function warnOfRules({ metadata, spec }: ApiObject, warn: Warn): void {
  for (const { name, schema } of versionsOf((spec ?? {}) as Part)) {
    const root = schema?.openAPIV3Schema;
    // What is wrong with a schema is told as its faults.
    if (!root || checkStructural(root).length > 0) continue;
    for (const each of unevaluatedRules(root)) {
      warn(`rules of ${metadata.name}, version ${name}, are not evaluated by this server: ${each}`);
    }
  }
}
