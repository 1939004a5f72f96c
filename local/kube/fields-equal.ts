/** Whether two JSON values are equal; the order of fields does not count, that of items does. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) || Array.isArray(b)) return sameItems(a, b);
  const entries = Object.entries(a);
  if (entries.length !== Object.keys(b).length) return false;
  return entries.every(
    ([name, value]) => Object.hasOwn(b, name) && sameJson(value, field(b, name)),
  );
}

function sameItems(a: object, b: object): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((item, index) => sameJson(item, b[index]));
}

function field(object: object, name: string): unknown {
  return (object as Readonly<Record<string, unknown>>)[name];
}
