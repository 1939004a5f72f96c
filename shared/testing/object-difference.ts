/** Paths named at most. */
const MOST = 10;

/**
 * The fields in which two objects differ, as "spec.replicas" and "status.conditions[0].reason".
 * What the API server alone writes (`managedFields`, `resourceVersion`, `generation`) is left out.
 */
export function differenceOf(before: unknown, after: unknown): readonly string[] {
  const found: string[] = [];
  compare(bare(before), bare(after), "", found);
  return found.length > MOST ? [...found.slice(0, MOST), `${found.length - MOST} more`] : found;
}

function bare(object: unknown): unknown {
  if (!isMap(object) || !isMap(object.metadata)) return object;
  const { managedFields: _, resourceVersion: __, generation: ___, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function compare(before: unknown, after: unknown, path: string, found: string[]): void {
  if (Object.is(before, after)) return;
  if (isMap(before) && isMap(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(before[name], after[name], path === "" ? name : `${path}.${name}`, found);
    }
  } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, value] of before.entries()) {
      compare(value, after[index], `${path}[${index}]`, found);
    }
  } else found.push(path === "" ? "the whole object" : path);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
