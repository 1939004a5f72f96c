import { type CelBudget, CelBudgetError } from "../cel/cel-evaluate.ts";
import type { CelProgram } from "../cel/cel-program.ts";
import { CelError, type CelValue, Optional } from "../cel/cel-value.ts";
import type { Warn } from "./admission.ts";
import type { FieldError } from "./api-error.ts";
import { type Correlation, unchanged } from "./cel-correlation.ts";
import { readFieldPath } from "./cel-field-path.ts";
import { type CompiledRule, ruleText } from "./cel-rule.ts";
import { celValueOf } from "./cel-schema-value.ts";
import type { Schema } from "./schema.ts";
import { duplicate, faultText, forbidden, invalid, required } from "./schema-errors.ts";

/** A value on which rules are evaluated. */
export interface RulePlace {
  readonly schema: Schema;
  /** A whole object, also an embedded one. */
  readonly root: boolean;
  /** "" of a whole object that is not embedded. */
  readonly path: string;
  readonly value: unknown;
  /** What `oldSelf` is; undefined where there is none. */
  readonly old: unknown;
  readonly correlation: Correlation;
}

/** What all rules of one write share. */
export interface RuleRun {
  readonly warn: Warn;
  /** What rules may still cost in all. */
  readonly budget: CelBudget;
}

/** So much the API server lets one rule cost; a step here is about one of its units. */
const PER_RULE = 1_000_000;

/** Rules that fail, in the API server's words. What was so before the write is told as a warning. */
export function failedRules(
  rules: readonly CompiledRule[],
  place: RulePlace,
  run: RuleRun,
): FieldError[] {
  const { schema, root, value, old } = place;
  const self = celValueOf(value, schema, root);
  const oldSelf = old === undefined ? undefined : celValueOf(old, schema, root);
  const faults: FieldError[] = [];
  for (const rule of rules) {
    if (run.budget.left < 0) break;
    const fault = failedRule(rule, { ...place, self, oldSelf }, run);
    if (fault) faults.push(fault);
  }
  return faults;
}

interface SeenPlace extends RulePlace {
  readonly self: CelValue;
  readonly oldSelf: CelValue | undefined;
}

function failedRule(
  compiled: CompiledRule,
  place: SeenPlace,
  run: RuleRun,
): FieldError | undefined {
  const { rule, written } = compiled;
  if (!rule.evaluate) return undefined;
  const transition = rule.used.has("oldSelf");
  if (transition && place.oldSelf === undefined && !written.optionalOldSelf) return undefined;
  const found = evaluated(rule, place, { optional: written.optionalOldSelf === true, run });
  if (found === true) return undefined;
  if (found instanceof CelError) return errorFault(found, compiled, place);
  const fault = ruleFault(compiled, place, messageOf(compiled, place, run));
  if (transition || !unchanged(place.correlation)) return fault;
  run.warn(faultText(fault));
  return undefined;
}

function evaluated(
  program: CelProgram & { readonly evaluate: NonNullable<CelProgram["evaluate"]> },
  { self, oldSelf }: SeenPlace,
  { optional, run }: { readonly optional: boolean; readonly run: RuleRun },
): CelValue | CelError {
  const variables = new Map<string, CelValue>([["self", self]]);
  if (optional)
    variables.set("oldSelf", oldSelf === undefined ? Optional.NONE : new Optional(oldSelf));
  else if (oldSelf !== undefined) variables.set("oldSelf", oldSelf);
  const most = Math.min(PER_RULE, run.budget.left);
  const budget = { left: most };
  try {
    return program.evaluate(variables, budget);
  } catch (error) {
    if (error instanceof CelError) return error;
    throw error;
  } finally {
    run.budget.left -= most - budget.left;
  }
}

/** A rule that could not be evaluated holds no value to be true. */
function errorFault(error: CelError, { written }: CompiledRule, place: SeenPlace): FieldError {
  const { message } = error;
  const text = ruleText(written);
  const [field, type] = [fieldOf(place), place.schema.type ?? ""];
  if (error instanceof CelBudgetError) {
    const why = "no further validation rules will be run due to call cost exceeds limit for rule";
    return invalid(field, type, `'${message}': ${why}: ${text}`);
  }
  if (message.startsWith("no such overload")) {
    const why =
      "call arguments did not match a supported operator, function or macro signature for rule";
    return invalid(field, type, `'${message}': ${why}: ${text}`);
  }
  return invalid(field, type, `${message} evaluating rule: ${text}`);
}

/** Of the expression, if it has a usable one. */
function messageOf({ written, message }: CompiledRule, place: SeenPlace, run: RuleRun): string {
  const found = message?.evaluate ? evaluated(message, place, { optional: false, run }) : undefined;
  if (typeof found === "string") {
    const text = found.trim();
    if (text !== "" && !text.includes("\n") && Buffer.byteLength(text) <= MOST_BYTES) return text;
  }
  return written.message ? written.message.trim() : `failed rule: ${ruleText(written)}`;
}

/** Of a message that an expression makes. */
const MOST_BYTES = 5 * 1024;

function ruleFault({ written }: CompiledRule, place: SeenPlace, detail: string): FieldError {
  const { schema, value } = place;
  const below = written.fieldPath ? readFieldPath(written.fieldPath, schema) : undefined;
  const field = below === undefined ? fieldOf(place) : joined(place.path, below);
  // Objects and lists are not shown.
  const shown = schema.type !== "object" && schema.type !== "array";
  switch (written.reason) {
    case "FieldValueForbidden":
      return forbidden(field, detail);
    case "FieldValueRequired":
      return required(field, detail);
    case "FieldValueDuplicate":
      if (shown) return duplicate(field, value);
      return { field, reason: "FieldValueDuplicate", message: "Duplicate value" };
    default:
      if (shown) return invalid(field, value, detail);
      return { field, reason: "FieldValueInvalid", message: `Invalid value: ${detail}` };
  }
}

/** How Go prints the path of a whole object. */
function fieldOf({ path }: RulePlace): string {
  return path === "" ? "<nil>" : path;
}

function joined(path: string, below: string): string {
  return path === "" ? below : `${path}.${below}`;
}
