const whole = new WeakMap<object, string>();
const untyped = new WeakMap<object, string>();

/** The JSON of an object that is never changed; made once, however many watchers are sent it. */
export function objectJson(object: object): string {
  const known = whole.get(object);
  if (known !== undefined) return known;
  const json = JSON.stringify(object);
  whole.set(object, json);
  return json;
}

/** The same without apiVersion and kind, as lists of built-in kinds carry their items. */
export function untypedJson(object: object): string {
  const known = untyped.get(object);
  if (known !== undefined) return known;
  const json = JSON.stringify({ ...object, apiVersion: undefined, kind: undefined });
  untyped.set(object, json);
  return json;
}

/** The JSON of an object where it is known already. */
export function knownJson(object: object): string | undefined {
  return whole.get(object);
}
