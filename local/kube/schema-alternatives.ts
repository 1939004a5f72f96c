import type { Schema } from "./schema.ts";
import { goQuote } from "./schema-errors.ts";
import { addFault, merge, newResult, type SchemaResult, wholeFault } from "./schema-result.ts";
import type { SchemaPlace } from "./schema-validate.ts";

type CheckValue = (place: SchemaPlace, value: unknown) => SchemaResult;

/** Checks anyOf, oneOf, allOf and not, in this order. `check` is how one of their schemas is applied. */
export function checkAlternatives(
  place: SchemaPlace,
  value: unknown,
  check: CheckValue,
): SchemaResult {
  const { anyOf = [], oneOf = [], allOf = [], not } = place.schema;
  const result = newResult();
  const quoted = goQuote(place.name);
  const apply = (schemas: readonly Schema[]) =>
    schemas.map((schema) => check({ schema, name: place.name }, value));

  if (anyOf.length > 0) checkAnyOf(result, apply(anyOf), quoted);
  if (oneOf.length > 0) checkOneOf(result, apply(oneOf), quoted);
  if (allOf.length > 0) checkAllOf(result, apply(allOf), quoted);
  if (not && isValid(check({ schema: not, name: place.name }, value))) {
    addFault(result, wholeFault(`${quoted} must not validate the schema (not)`));
  }
  result.matchCount++;
  return result;
}

function checkAnyOf(result: SchemaResult, found: readonly SchemaResult[], quoted: string): void {
  const valid = found.find(isValid);
  if (valid) {
    merge(result, valid);
    return;
  }
  addFault(result, wholeFault(`${quoted} must validate at least one schema (anyOf)`));
  merge(result, closest(found));
}

function checkOneOf(result: SchemaResult, found: readonly SchemaResult[], quoted: string): void {
  const valid = found.filter(isValid);
  const [first, second] = valid;
  if (first && !second) {
    merge(result, first);
    return;
  }
  const why = first ? `Found ${valid.length} valid alternatives` : "Found none valid";
  addFault(result, wholeFault(`${quoted} must validate one and only one schema (oneOf). ${why}`));
  if (!first) merge(result, closest(found));
}

function checkAllOf(result: SchemaResult, found: readonly SchemaResult[], quoted: string): void {
  for (const each of found) merge(result, each);
  const count = found.filter(isValid).length;
  if (count === found.length) return;
  const none = count === 0 ? ". None validated" : "";
  addFault(result, wholeFault(`${quoted} must validate all the schemas (allOf)${none}`));
}

/** The first of those with most checks made. */
function closest(found: readonly SchemaResult[]): SchemaResult {
  return found.reduce((best, each) => (each.matchCount > best.matchCount ? each : best));
}

function isValid({ faults }: SchemaResult): boolean {
  return faults.length === 0;
}
