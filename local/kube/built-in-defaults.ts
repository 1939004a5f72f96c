import { appsDefaults } from "./built-in-defaults-apps.ts";
import { coreDefaults } from "./built-in-defaults-core.ts";
import { otherDefaults } from "./built-in-defaults-other.ts";
import { decodeParts, encodeParts } from "./built-in-encoding.ts";
import { definitionName } from "./built-in-resources.ts";
import { changeParts, type Part, ruleFinder } from "./built-in-visit.ts";
import { isFrozen, thawed } from "./frozen.ts";
import type { ServedResource } from "./served-resource.ts";

/**
 * A built-in object as the API server would store it: nulls and empty fields dropped, the
 * kind's defaults filled in ("spec.strategy", "dnsPolicy"), empty objects that it always writes
 * ("status"), quantities and times in their one form. The same for what comes out of it. Objects of
 * other kinds are answered as they are.
 *
 * It is a copy, which its caller may change in place; frozen parts are shared, as they are stored ones
 * and so have all of that. What needs more than the object itself is not filled in: see
 * `completeBuiltIn`.
 */
export function defaultBuiltIn<T extends object>(resource: ServedResource, object: T): T {
  const definition = definitionName(resource);
  if (definition === undefined) return object;
  const copy = isFrozen(object) ? { ...object } : thawed(object);
  const part = copy as Part;
  decodeParts(definition, part);
  changeParts(definition, part, (name, each) => defaultsOf(name)?.(each));
  encodeParts(definition, part);
  return copy;
}

/** Fills the defaults of one part in; keyed by the end of its definition's name, "core.v1.Container". */
export type PartDefaults = Readonly<Record<string, (part: Part) => void>>;

const DEFAULTS: PartDefaults = { ...coreDefaults, ...appsDefaults, ...otherDefaults };

const defaultsOf = ruleFinder(DEFAULTS, /^io\.k8s\.(api\.)?/);
