/**
 * One step of a path to a field, in the text form of FieldsV1: `f:name`, `k:{"name":"a"}` (an item
 * of a list by its keys), `v:"a"` (an item of a set), `i:0`. Equal steps have equal texts.
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/
 */
export type FieldElement = string;

export function fieldElement(name: string): FieldElement {
  return `f:${name}`;
}

/** Of the key fields of an item, in any order. */
export function keyElement(fields: Readonly<Record<string, unknown>>): FieldElement {
  const names = Object.keys(fields).sort(compareText);
  const pairs = names.map((name) => `${JSON.stringify(name)}:${escapedJson(fields[name])}`);
  return `k:{${pairs.join(",")}}`;
}

export function valueElement(value: unknown): FieldElement {
  return `v:${escapedJson(value)}`;
}

/**
 * The step that a key of a FieldsV1 object names; undefined for kinds of steps that are not known.
 * Throws on text that is no step.
 */
export function parseElement(text: string): FieldElement | undefined {
  if (text.length < 2) throw new Error("key must be 2 characters long:");
  if (text[1] !== ":") throw new Error(`missing colon: ${text}`);
  const rest = text.slice(2);
  if (text[0] === "f") return text;
  if (text[0] === "k") return keyElement(JSON.parse(rest));
  if (text[0] === "v") return valueElement(JSON.parse(rest));
  if (text[0] !== "i") return undefined;
  if (!/^[+-]?\d+$/u.test(rest)) throw new Error(`strconv.Atoi: parsing "${rest}": invalid syntax`);
  return `i:${Number(rest)}`;
}

/** As in messages: `.spec`, `[name="a"]`, `[="a"]`, `[0]`. */
export function elementText(element: FieldElement): string {
  const rest = element.slice(2);
  if (element[0] === "f") return `.${rest}`;
  if (element[0] === "i") return `[${rest}]`;
  if (element[0] === "v") return `[=${JSON.stringify(JSON.parse(rest))}]`;
  const pairs = Object.entries(JSON.parse(rest)).sort(([a], [b]) => compareText(a, b));
  return `[${pairs.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(",")}]`;
}

/** Orders steps: fields, then keys, values and indexes. */
export function compareElements(a: FieldElement, b: FieldElement): number {
  const kinds = "fkvi";
  const byKind = kinds.indexOf(a[0] ?? "") - kinds.indexOf(b[0] ?? "");
  if (byKind !== 0) return byKind;
  if (a[0] === "f") return compareText(a, b);
  if (a[0] === "i") return Number(a.slice(2)) - Number(b.slice(2));
  if (a[0] === "v") return compareValues(JSON.parse(a.slice(2)), JSON.parse(b.slice(2)));
  return compareKeys(JSON.parse(a.slice(2)), JSON.parse(b.slice(2)));
}

/** Orders as bytes of UTF-8 do, which differs from UTF-16 for characters outside the first plane. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = rank(a.charCodeAt(index)) - rank(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Surrogates stand above all other units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function compareKeys(a: Record<string, unknown>, b: Record<string, unknown>): number {
  const namesOfA = Object.keys(a).sort(compareText);
  const namesOfB = Object.keys(b).sort(compareText);
  for (const [index, name] of namesOfA.entries()) {
    const other = namesOfB[index];
    if (other === undefined) return 1;
    const difference = compareText(name, other) || compareValues(a[name], b[other]);
    if (difference !== 0) return difference;
  }
  return namesOfA.length - namesOfB.length;
}

const TYPE_ORDER = ["number", "string", "boolean", "object"];

function compareValues(a: unknown, b: unknown): number {
  const byType = TYPE_ORDER.indexOf(typeof a) - TYPE_ORDER.indexOf(typeof b);
  if (byType !== 0) return byType;
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "boolean") return Number(a) - Number(b);
  return compareText(String(a), String(b));
}

/** With the letters escaped that Go escapes for HTML. */
function escapedJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/gu,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
