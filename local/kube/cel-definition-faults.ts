import type { CelProgram } from "../cel/cel-program.ts";
import type { FieldError } from "./api-error.ts";
import { readFieldPath } from "./cel-field-path.ts";
import { type CompiledRule, compiledRule, rulesOf, type ValidationRule } from "./cel-rule.ts";
import { selfType } from "./cel-schema-type.ts";
import type { Schema } from "./schema.ts";
import { goJson, invalid, notSupported, required } from "./schema-errors.ts";

/** What is wrong with a rule without looking into its expressions, in the API server's words. */
export function writtenRuleFaults(schema: Schema, path: string): FieldError[] {
  return rulesOf(schema).flatMap((rule, index) =>
    writtenFaults(rule, schema, `${path}.x-kubernetes-validations[${index}]`),
  );
}

function writtenFaults(written: ValidationRule, schema: Schema, path: string): FieldError[] {
  const { messageExpression, reason, fieldPath = "" } = written;
  const faults = textFaults(written, path);
  if (messageExpression && messageExpression.trim() === "") {
    faults.push(
      required(`${path}.messageExpression`, "messageExpression must be non-empty if specified"),
    );
  }
  if (reason !== undefined && !REASONS.includes(reason)) {
    faults.push(notSupported(`${path}.reason`, reason, REASONS));
  }
  const field = `${path}.fieldPath`;
  if (fieldPath === "") return faults;
  if (fieldPath.trim() === "") faults.push(invalid(field, fieldPath, EMPTY));
  if (LINES.test(fieldPath)) faults.push(invalid(field, fieldPath, "must not contain line breaks"));
  if (readFieldPath(fieldPath, schema) === undefined) {
    faults.push(invalid(field, fieldPath, "must be a valid path"));
  }
  return faults;
}

const EMPTY = "must be non-empty if specified";
const LINES = /[\n\r]/;
const REASONS = [
  "FieldValueDuplicate",
  "FieldValueForbidden",
  "FieldValueInvalid",
  "FieldValueRequired",
];

function textFaults({ rule = "", message = "" }: ValidationRule, path: string): FieldError[] {
  const [rules, text] = [rule.trim(), message.trim()];
  if (rules === "") return [required(`${path}.rule`, "rule is not specified")];
  if (message !== "" && text === "") return [invalid(`${path}.message`, message, EMPTY)];
  if (LINES.test(text))
    return [invalid(`${path}.message`, message, "must not contain line breaks")];
  if (!LINES.test(rules) || text !== "") return [];
  return [required(`${path}.message`, "message must be specified if rule contains line breaks")];
}

/** Where rules stand: `uncorrelated` is the path of the list or map inside of which no `oldSelf` can be found. */
export interface RulesAt {
  readonly path: string;
  readonly root: boolean;
  readonly uncorrelated?: string | undefined;
  /** Faults of the schema: rules are looked into only where none is at that place or below. */
  readonly found: readonly FieldError[];
}

/** The faults of the expressions in a schema and its parts. */
export function expressionFaults(schema: Schema, at: RulesAt): FieldError[] {
  const path = `${at.path}.x-kubernetes-validations`;
  const faulty = at.found.some(({ field }) => field.startsWith(at.path));
  const rules = faulty ? [] : rulesOf(schema);
  const unseen = rules.length > 0 && selfType(schema, at.root) === undefined;
  const own = unseen
    ? [{ ...UNSEEN, field: path }]
    : rules.flatMap((rule, index) => {
        const compiled = compiledRule(rule, schema, at.root);
        return compiled ? compiledFaults(compiled, `${path}[${index}]`, at.uncorrelated) : [];
      });
  return [...partsOf(schema, at).flatMap(([part, place]) => expressionFaults(part, place)), ...own];
}

/** Rules on values of any type. */
const UNSEEN = {
  reason: "InternalError",
  message:
    "Internal error: internal error: failed to construct type information for " +
    "x-kubernetes-validations rules: unable to convert structural schema to CEL declarations",
};

function partsOf(schema: Schema, { path, uncorrelated, found }: RulesAt): [Schema, RulesAt][] {
  const { items, properties = {}, additionalProperties: more } = schema;
  const at = (part: Schema, field: string, lost = uncorrelated): [Schema, RulesAt] => [
    part,
    {
      path: field,
      root: part["x-kubernetes-embedded-resource"] === true,
      uncorrelated: lost,
      found,
    },
  ];
  const keyed = schema["x-kubernetes-list-type"] === "map";
  return [
    ...(typeof more === "object" ? [at(more, `${path}.additionalProperties`)] : []),
    ...Object.entries(properties).map(([key, part]) => at(part, `${path}.properties[${key}]`)),
    ...(items ? [at(items, `${path}.items`, uncorrelated ?? (keyed ? undefined : path))] : []),
  ];
}

function compiledFaults(
  { written, rule, message }: CompiledRule,
  path: string,
  uncorrelated: string | undefined,
): FieldError[] {
  const faults = [
    ...programFaults(rule, { written, path: `${path}.rule`, type: "bool" }),
    ...(message && rule.faults === undefined
      ? programFaults(message, { written, path: `${path}.messageExpression`, type: "string" })
      : []),
  ];
  const transition = rule.evaluate !== undefined && rule.used.has("oldSelf");
  if (transition && uncorrelated !== undefined) {
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
    faults.push(invalid(`${path}.rule`, written.rule ?? "", why));
  }
  if (!transition && rule.unknown === undefined && written.optionalOldSelf !== undefined) {
    const why = "may not be set if oldSelf is not used in rule";
    faults.push(invalid(`${path}.optionalOldSelf`, written.optionalOldSelf, why));
  }
  return faults;
}

function programFaults(
  program: CelProgram,
  at: { readonly written: ValidationRule; readonly path: string; readonly type: string },
): FieldError[] {
  const ofMessage = at.type === "string";
  const shown = shownRule(at.written);
  if (program.faults !== undefined) {
    const what = ofMessage ? "messageExpression compilation failed" : "compilation failed";
    return [ruleFault(at.path, shown, `${what}: ${program.faults}`)];
  }
  if (!program.evaluate || program.type.name === at.type) return [];
  const what = ofMessage
    ? "messageExpression must evaluate to a string"
    : "cel expression must evaluate to a bool";
  return [ruleFault(at.path, shown, what)];
}

function ruleFault(field: string, shown: string, detail: string): FieldError {
  return { field, reason: "FieldValueInvalid", message: `Invalid value: ${shown}: ${detail}` };
}

/** As the API server's own type of a rule prints. */
function shownRule(written: ValidationRule): string {
  const parts = {
    Rule: written.rule ?? "",
    Message: written.message ?? "",
    MessageExpression: written.messageExpression ?? "",
    Reason: written.reason ?? null,
    FieldPath: written.fieldPath ?? "",
    OptionalOldSelf: written.optionalOldSelf ?? null,
  };
  return `{${Object.entries(parts)
    .map(([name, value]) => `"${name}":${goJson(value)}`)
    .join(",")}}`;
}

/** What of the rules in a schema is right but not evaluated by this server: a warning each. */
export function unevaluatedRules(schema: Schema, root = true): string[] {
  const own = rulesOf(schema).flatMap((rule) => {
    const compiled = compiledRule(rule, schema, root);
    const unknown = compiled?.rule.unknown ?? compiled?.message?.unknown;
    return unknown === undefined ? [] : [`${ruleOf(rule)} (${unknown})`];
  });
  const parts = partsOf(schema, { path: "", root, found: [] });
  return [...own, ...parts.flatMap(([part, at]) => unevaluatedRules(part, at.root))];
}

function ruleOf({ rule = "" }: ValidationRule): string {
  return JSON.stringify(rule);
}
