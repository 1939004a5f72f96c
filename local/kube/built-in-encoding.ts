import { builtInDefinitions, type Encoding } from "./built-in-resources.ts";
import data from "./built-in-schemas.json" with { type: "json" };
import { changeParts, isPart, type Part } from "./built-in-visit.ts";
import { normalQuantity } from "./quantity.ts";

/**
 * Makes a built-in object what Go's decoder makes of it: without nulls, and with an empty object for
 * each struct that is always there. Changes `object`.
 */
export function decodeParts(definition: string, object: Part): void {
  changeParts(definition, object, (name, part) => {
    for (const [key, value] of Object.entries(part)) {
      if (value === null) Reflect.deleteProperty(part, key);
      else if (isPart(value) && isTexts(name, key)) emptyNulls(value);
    }
    for (const key of ENCODING[name]?.fill ?? []) part[key] ??= {};
  });
}

/** Whether a field is a map of strings, in which null is an empty one. */
function isTexts(definition: string, key: string): boolean {
  const properties = builtInDefinitions()[definition]?.properties;
  const schema = isPart(properties) ? properties[key] : undefined;
  const more = isPart(schema) ? schema.additionalProperties : undefined;
  return isPart(more) && more.type === "string";
}

function emptyNulls(texts: Part): void {
  for (const [key, value] of Object.entries(texts)) if (value === null) texts[key] = "";
}

/**
 * Makes a built-in object what Go makes of it when it writes it: without empty fields that it leaves
 * out, with empty objects and null times that it does not, and with quantities and times in their one
 * form. Changes `object`.
 */
export function encodeParts(definition: string, object: Part): void {
  changeParts(definition, object, (name, part) => {
    const { omit = [], fill = [], nulls = [], texts = [], ...more } = ENCODING[name] ?? {};
    for (const key of omit) if (isEmpty(part[key])) Reflect.deleteProperty(part, key);
    for (const key of fill) part[key] ??= {};
    for (const key of nulls) part[key] ??= null;
    for (const key of texts) part[key] ??= "";
    for (const key of more.numbers ?? []) part[key] ??= 0;
    for (const key of more.flags ?? []) part[key] ??= false;
    normalizeValues(name, part);
  });
}

/** Makes lists null that are empty and always written, as the store of the API server does. Changes `object`. */
export function withoutEmptyLists(definition: string, object: Part): void {
  changeParts(definition, object, (name, part) => {
    for (const key of ENCODING[name]?.nulls ?? []) {
      const value = part[key];
      if (Array.isArray(value) && value.length === 0) part[key] = null;
    }
  });
}

const ENCODING: Readonly<Record<string, Encoding>> = data.encoding;

function isEmpty(value: unknown): boolean {
  if (value === "" || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isPart(value) && Object.keys(value).length === 0;
}

const QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";
const TIME = "io.k8s.apimachinery.pkg.apis.meta.v1.Time";
const MICRO_TIME = "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime";

function normalizeValues(definition: string, part: Part): void {
  const properties = builtInDefinitions()[definition]?.properties;
  if (!isPart(properties)) return;
  for (const [key, value] of Object.entries(part)) {
    const schema = properties[key];
    if (!isPart(schema) || value === null) continue;
    const more = schema.additionalProperties;
    if (schema.$ref === QUANTITY) part[key] = quantity(value);
    else if (schema.$ref === TIME) part[key] = time(value, 0);
    else if (schema.$ref === MICRO_TIME) part[key] = time(value, 6);
    else if (isPart(more) && more.$ref === QUANTITY && isPart(value)) {
      const entries = Object.entries(value).map(([name, each]) => [name, quantity(each)]);
      part[key] = Object.fromEntries(entries);
    }
  }
}

/** What is no quantity stays, for validation to find. */
function quantity(value: unknown): unknown {
  if (typeof value !== "string" && typeof value !== "number") return value;
  return normalQuantity(value) ?? value;
}

/** In UTC with so many digits of the second; the rest is cut off. */
function time(value: unknown, digits: number): unknown {
  const match = /^(.*T\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(String(value));
  if (!match) return value;
  const [, second = "", fraction = "", zone = ""] = match;
  const ms = Date.parse(`${second}${zone}`);
  if (Number.isNaN(ms)) return value;
  const text = new Date(ms).toISOString().slice(0, 19);
  const rest = digits === 0 ? "" : `.${fraction.padEnd(digits, "0").slice(0, digits)}`;
  return `${text}${rest}Z`;
}
