import type { Warn } from "./admission.ts";
import type { FieldError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { itemBefore, ofField, ofItem } from "./cel-correlation.ts";
import { type CompiledRule, compiledRule, rulesOf } from "./cel-rule.ts";
import { failedRules, type RulePlace, type RuleRun } from "./cel-rule-faults.ts";
import { isMap } from "./fields-value.ts";
import type { Schema } from "./schema.ts";

/** So much the API server lets all rules of a write cost. */
const PER_WRITE = 10_000_000;

/**
 * The faults of a custom object by the rules of its schema (`x-kubernetes-validations`), where the
 * faults found so far leave them a value to look at. `before` is the object that the write replaces.
 */
export function ruleFaults(
  schema: Schema,
  { object, before }: { readonly object: ApiObject; readonly before?: ApiObject | undefined },
  { found, warn }: { readonly found: readonly FieldError[]; readonly warn: Warn },
): FieldError[] {
  if (!hasRules(schema)) return [];
  if (found.some(({ reason }) => BLOCKING.has(reason))) return [BLOCKED];
  const correlation = { value: object, before, above: undefined };
  const place = { path: "", schema, root: true, value: object, old: before, correlation };
  return faultsAt(place, { warn, budget: { left: PER_WRITE } });
}

const BLOCKING = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

const BLOCKED: FieldError = {
  field: "<nil>",
  reason: "FieldValueInvalid",
  message:
    "Invalid value: null: some validation rules were not checked because the object was invalid; " +
    "correct the existing errors to complete validation",
};

function faultsAt(place: RulePlace, run: RuleRun): FieldError[] {
  const { value, schema } = place;
  if (value === null || value === undefined || !hasRules(schema) || run.budget.left < 0) return [];
  const faults = failedRules(compiled(place), place, run);
  if (Array.isArray(value)) faults.push(...itemFaults(place, value, run));
  else if (isMap(value)) faults.push(...fieldFaults(place, value, run));
  return faults;
}

function itemFaults(place: RulePlace, values: readonly unknown[], run: RuleRun): FieldError[] {
  const { schema, path, old, correlation } = place;
  const { items } = schema;
  if (!items) return [];
  return values.flatMap((value, index) => {
    const at = {
      schema: items,
      path: `${path}[${index}]`,
      value,
      old: itemBefore(schema, old, value),
      correlation: ofItem(correlation, schema, value),
    };
    return faultsAt(withRoot(at), run);
  });
}

function fieldFaults(
  { schema, path, old, correlation }: RulePlace,
  values: Readonly<Record<string, unknown>>,
  run: RuleRun,
): FieldError[] {
  const { properties = {}, additionalProperties: more } = schema;
  const faults: FieldError[] = [];
  for (const [key, value] of Object.entries(values)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const below = property ?? (typeof more === "object" ? more : undefined);
    if (!below) continue;
    const named = path === "" ? key : `${path}.${key}`;
    const at = {
      schema: below,
      path: property ? named : `${path}[${key}]`,
      value,
      old: isMap(old) ? (old[key] ?? undefined) : undefined,
      correlation: ofField(correlation, key, value),
    };
    faults.push(...faultsAt(withRoot(at), run));
  }
  return faults;
}

function withRoot(place: Omit<RulePlace, "root">): RulePlace {
  return { ...place, root: place.schema["x-kubernetes-embedded-resource"] === true };
}

/** Schemas do not change: a definition that does brings new ones. */
const COMPILED = new WeakMap<Schema, readonly CompiledRule[]>();

function compiled({ schema, root }: RulePlace): readonly CompiledRule[] {
  const known = COMPILED.get(schema);
  if (known) return known;
  const made = rulesOf(schema).flatMap((each) => compiledRule(each, schema, root) ?? []);
  COMPILED.set(schema, made);
  return made;
}

const HAS_RULES = new WeakMap<Schema, boolean>();

/** Whether rules stand anywhere in a schema. */
function hasRules(schema: Schema): boolean {
  const known = HAS_RULES.get(schema);
  if (known !== undefined) return known;
  const { items, properties = {}, additionalProperties: more } = schema;
  const parts = [...Object.values(properties), ...(items ? [items] : [])];
  if (typeof more === "object") parts.push(more);
  const found = rulesOf(schema).length > 0 || parts.some(hasRules);
  HAS_RULES.set(schema, found);
  return found;
}
