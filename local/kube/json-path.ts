import { parseJsonPath } from "./json-path-parse.ts";

/** One step of a JSONPath. */
export type JsonPathStep =
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "every" }
  | { readonly kind: "deep" }
  | { readonly kind: "union"; readonly paths: readonly JsonPath[] }
  | {
      readonly kind: "slice";
      readonly start?: number;
      readonly end?: number;
      readonly step?: number;
    }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "filter"; readonly filter: JsonPathFilter };

export type JsonPath = readonly JsonPathStep[];

export interface JsonPathFilter {
  readonly left: JsonPathOperand;
  readonly operator: "exists" | "==" | "!=" | "<" | "<=" | ">" | ">=";
  readonly right: JsonPathOperand;
}

export type JsonPathOperand =
  | { readonly path: JsonPath }
  | { readonly value: string | number | boolean };

/**
 * All values at a JSONPath (".status.conditions[?(@.type=="Ready")].status"), in their order; none
 * where something on the way is missing. Throws an Error where the text is no JSONPath, or a
 * filter compares values of different types.
 * https://kubernetes.io/docs/reference/kubectl/jsonpath/
 */
export function findAll(text: string, value: unknown): readonly unknown[] {
  const path = paths.get(text) ?? parseJsonPath(text);
  paths.set(text, path);
  return walk(path, value);
}

/** Read once; there are as many as columns of definitions. */
const paths = new Map<string, JsonPath>();

function walk(path: JsonPath, from: unknown): readonly unknown[] {
  let values: readonly unknown[] = [from];
  for (const step of path) values = values.flatMap((value) => take(step, value));
  return values;
}

function take(step: JsonPathStep, value: unknown): readonly unknown[] {
  switch (step.kind) {
    case "field":
      return isRecord(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : [];
    case "every":
      return childrenOf(value);
    case "deep":
      return withDescendants(value);
    case "union":
      return step.paths.flatMap((path) => walk(path, value));
    case "index":
      return Array.isArray(value) ? value.slice(step.index).slice(0, 1) : [];
    case "slice":
      return Array.isArray(value) ? slice(value, step) : [];
    case "filter":
      return childrenOf(value).filter((child) => passes(step.filter, child));
  }
}

function slice(values: readonly unknown[], step: { start?: number; end?: number; step?: number }) {
  const part = values.slice(step.start ?? 0, step.end);
  return part.filter((_, index) => index % (step.step ?? 1) === 0);
}

function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value) : [];
}

function withDescendants(value: unknown): readonly unknown[] {
  return [value, ...childrenOf(value).flatMap(withDescendants)];
}

function passes({ left, operator, right }: JsonPathFilter, child: unknown): boolean {
  const [a] = operandOf(left, child);
  if (operator === "exists") return a !== undefined;
  const [b] = operandOf(right, child);
  if (a === undefined || b === undefined) return false;
  if (typeof a !== typeof b || typeof a === "object") {
    throw new Error(`comparing values in a JSONPath: expected two ${typeof b}s, got ${typeof a}`);
  }
  if (operator === "==") return a === b;
  return operator === "!=" ? a !== b : ordered(operator, a, b);
}

function ordered(operator: "<" | "<=" | ">" | ">=", a: unknown, b: unknown): boolean {
  const numbers = typeof a === "number" && typeof b === "number";
  if (!numbers && !(typeof a === "string" && typeof b === "string")) return false;
  if (operator === "<") return a < b;
  if (operator === "<=") return a <= b;
  return operator === ">" ? a > b : a >= b;
}

function operandOf(operand: JsonPathOperand, child: unknown): readonly unknown[] {
  return "path" in operand ? walk(operand.path, child) : [operand.value];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
