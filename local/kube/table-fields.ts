import type { Labels } from "./selectors.ts";

/** A part of an object whose form is known only by its schema. */
export type Part = Readonly<Record<string, unknown>>;

/** The value at a path of names, "spec.template.spec"; undefined where there is none. */
export function valueAt(part: Part, path: string): unknown {
  let value: unknown = part;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Part)[name];
  }
  return value ?? undefined;
}

/** The text at a path; `absent` where there is none or an empty one. */
export function textAt(part: Part, path: string, absent = ""): string {
  const value = valueAt(part, path);
  return value === undefined || value === "" ? absent : scalarText(value);
}

/** A text, a number or a boolean as it is shown. */
export function scalarText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function numberAt(part: Part, path: string, absent = 0): number {
  const value = valueAt(part, path);
  return typeof value === "number" ? value : absent;
}

export function partsAt(part: Part, path: string): readonly Part[] {
  const value = valueAt(part, path);
  return Array.isArray(value) ? (value as Part[]) : [];
}

export function textsAt(part: Part, path: string): readonly string[] {
  const value = valueAt(part, path);
  return Array.isArray(value) ? value.map(scalarText) : [];
}

export function partAt(part: Part, path: string): Part | undefined {
  const value = valueAt(part, path);
  return typeof value === "object" && value !== null ? (value as Part) : undefined;
}

/** Whether the condition of a type is "True". */
export function conditionTrue(part: Part, type: string): boolean {
  const condition = partsAt(part, "status.conditions").find((each) => each.type === type);
  return condition?.status === "True";
}

/** "a=1,b=2", or "<none>". */
export function labelsText(labels: unknown): string {
  const entries = Object.entries((labels ?? {}) as Labels);
  const texts = entries.map(([key, value]) => `${key}=${value}`).sort();
  return texts.length === 0 ? "<none>" : texts.join(",");
}

/** A label selector of an object ("app=a,tier in (b,c)"); "" for one that selects all. */
export function labelSelectorText(selector: Part | undefined): string {
  if (!selector) return "";
  const labels = Object.entries((selector.matchLabels ?? {}) as Labels);
  const equal = labels.map(([key, value]) => ({ key, text: `${key}=${value}` }));
  const others = partsAt(selector, "matchExpressions").map(expressionText);
  const all = [...equal, ...others].sort((one, other) => (one.key < other.key ? -1 : 1));
  return all.map(({ text }) => text).join(",");
}

function expressionText(expression: Part): { key: string; text: string } {
  const key = textAt(expression, "key");
  const values = [...textsAt(expression, "values")].sort().join(",");
  switch (expression.operator) {
    case "In":
      return { key, text: `${key} in (${values})` };
    case "NotIn":
      return { key, text: `${key} notin (${values})` };
    case "DoesNotExist":
      return { key, text: `!${key}` };
    default:
      return { key, text: key };
  }
}

/** At most `most` texts, and how many more of `count` there are; `empty` for none. */
export function shortList(
  texts: readonly string[],
  options: { most: number; count: number; empty: string },
): string {
  const { most, count, empty } = options;
  const shown = texts.slice(0, most).join(",");
  if (count > most) return `${shown} + ${count - most} more...`;
  return shown === "" ? empty : shown;
}
