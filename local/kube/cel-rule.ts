import { type CelProgram, celProgram } from "../cel/cel-program.ts";
import { type CelType, optionalType } from "../cel/cel-type.ts";
import { selfType } from "./cel-schema-type.ts";
import type { Schema } from "./schema.ts";

/** One entry of `x-kubernetes-validations`, as a client wrote it. */
export interface ValidationRule {
  readonly rule?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** A rule that can be evaluated. */
export interface CompiledRule {
  readonly written: ValidationRule;
  readonly rule: CelProgram;
  readonly message: CelProgram | undefined;
}

/**
 * A rule on values of that schema. With `root` these are whole objects. Undefined where rules cannot
 * see such values, or there is no rule to see them with.
 */
export function compiledRule(
  written: ValidationRule,
  schema: Schema,
  root: boolean,
): CompiledRule | undefined {
  const self = selfType(schema, root);
  const { rule = "", messageExpression = "" } = written;
  if (!self || rule.trim() === "") return undefined;
  const variables = variablesOf(self, written);
  return {
    written,
    rule: celProgram(rule, variables),
    message: messageExpression === "" ? undefined : celProgram(messageExpression, variables),
  };
}

function variablesOf(self: CelType, { optionalOldSelf }: ValidationRule) {
  const oldSelf = optionalOldSelf ? optionalType(self) : self;
  return new Map([
    ["self", self],
    ["oldSelf", oldSelf],
  ]);
}

/** The rules that stand in a schema, its parts left out. */
export function rulesOf(schema: Schema): readonly ValidationRule[] {
  return (schema["x-kubernetes-validations"] ?? []) as readonly ValidationRule[];
}

/** How faults name a rule. */
export function ruleText({ rule = "", message = "" }: ValidationRule): string {
  return (message || rule).trim();
}
