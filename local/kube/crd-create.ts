import type { Warn } from "./admission.ts";
import type { ApiObject } from "./api-object.ts";
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

const RULES = "x-kubernetes-validations";

/** Tells the client of rules in a definition's schemas, which this server does not evaluate. */
export function warnOfRules({ metadata, spec }: ApiObject, warn: Warn): void {
  if (!hasRules(spec)) return;
  warn(
    `${RULES} of ${metadata.name} are not evaluated by this server: objects that break them are accepted`,
  );
}

function hasRules(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  if (Array.isArray(part)) return part.some(hasRules);
  return Object.entries(part).some(
    ([key, value]) => (key === RULES && Array.isArray(value)) || hasRules(value),
  );
}
