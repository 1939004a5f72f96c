import type { Schema } from "./schema.ts";

/**
 * Reads the `fieldPath` of a rule: ".spec.x" or "['a-b'].x", down the schema. Answers the path as
 * faults write it, or undefined if it does not lead to a field.
 */
export function readFieldPath(text: string, schema: Schema): string | undefined {
  let at: Schema | undefined = schema;
  let path = "";
  let rest = text;
  while (rest !== "") {
    const step = /^(?:\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\])/.exec(rest);
    const name: string | undefined = step?.[1] ?? unquoted(step?.[2]);
    if (!step || name === undefined || !at) return undefined;
    rest = rest.slice(step[0].length);
    const { properties, additionalProperties: more }: Schema = at;
    if (properties) {
      at = Object.hasOwn(properties, name) ? properties[name] : undefined;
      path = path === "" ? name : `${path}.${name}`;
    } else {
      at = typeof more === "object" ? more : undefined;
      path = `${path}[${name}]`;
    }
    if (!at) return undefined;
  }
  return path === "" ? undefined : path;
}

/** Undefined for an escape that is none. */
function unquoted(text: string | undefined): string | undefined {
  if (text === undefined || /\\[^abfnrtv'\\]/.test(text)) return undefined;
  return text.replace(/\\(.)/g, (_, each: string) => ESCAPES[each] ?? each);
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
