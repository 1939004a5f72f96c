import type * as z from "zod";
import type { ValidationRule } from "./custom-resource-definition.ts";
import { keywords } from "./keywords.ts";

/**
 * A rule in CEL that the API server checks: `schema.check(cel("self.min <= self.max", "min is more
 * than max"))`. zod does not check it. `self` is the value of the schema, `oldSelf` its value before.
 *
 * The API server estimates the worst case of a rule and refuses a definition that may cost too much:
 * give strings `max`, and lists, too. https://kubernetes.io/docs/reference/using-api/cel/
 */
export function cel(
  rule: string,
  says: string | Omit<ValidationRule, "rule">,
): z.core.$ZodCheck<unknown> {
  const more = typeof says === "string" ? { message: says } : says;
  return keywords({ "x-kubernetes-validations": [{ rule, ...more }] });
}

/**
 * The value cannot be changed once it is there: `z.string().check(immutable())`. Of an optional field
 * of an object, that means that it can neither be added nor removed later.
 */
export function immutable(): z.core.$ZodCheck<unknown> {
  return cel(IMMUTABLE, "cannot be changed");
}

/** The rule of `immutable`. */
export const IMMUTABLE = "self == oldSelf";
