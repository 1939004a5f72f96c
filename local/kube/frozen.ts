/**
 * Freezes a JSON value with all that is in it, and returns it. What is frozen already is taken to be
 * so throughout.
 */
export function frozen<T>(value: T): T {
  if (!isObject(value) || Object.isFrozen(value)) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

/** A copy that may be changed in place, but for its frozen parts: those are shared. */
export function thawed<T>(value: T): T {
  if (!isObject(value) || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return value.map(thawed) as T;
  const copy = { ...value } as Record<string, unknown>; // First: "__proto__" then is a field like others.
  for (const [key, each] of Object.entries(copy)) if (isObject(each)) copy[key] = thawed(each);
  return copy as T;
}

/** Whether a value is an object or a list that nobody can change: part of one that is stored. */
export function isFrozen(value: unknown): boolean {
  return isObject(value) && Object.isFrozen(value);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
