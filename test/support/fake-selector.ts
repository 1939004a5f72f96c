import { isJson, type Stored } from "./fake-object.ts";

/** Tells whether an object is selected by the `labelSelector` and `fieldSelector` of a request. */
export function selection(query: Readonly<Record<string, string>>): (object: Stored) => boolean {
  const labels = requirements(query.labelSelector ?? "").map(labelTest);
  const fields = requirements(query.fieldSelector ?? "").map(fieldTest);
  return (object) =>
    labels.every((test) => test(object.metadata.labels ?? {})) &&
    fields.every((test) => test(object));
}

/** Splits at the commas outside of brackets. */
function requirements(selector: string): readonly string[] {
  return selector
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function labelTest(text: string): (labels: Readonly<Record<string, string>>) => boolean {
  const set = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(text);
  if (set) {
    const [, key = "", operator, values = ""] = set;
    const wanted = values.split(",").map((value) => value.trim());
    return (labels) => wanted.includes(labels[key] ?? "\0") === (operator === "in");
  }
  const pair = /^([^!=\s]+)\s*(==|=|!=)\s*(\S*)$/.exec(text);
  if (pair) {
    const [, key = "", operator, value] = pair;
    return (labels) => (labels[key] === value) === (operator !== "!=");
  }
  return text.startsWith("!")
    ? (labels) => labels[text.slice(1)] === undefined
    : (labels) => labels[text] !== undefined;
}

function fieldTest(text: string): (object: Stored) => boolean {
  const [, path = "", operator, value] = /^([^!=]+)(==|=|!=)(.*)$/.exec(text) ?? [];
  return (object) => {
    let found: unknown = object;
    for (const part of path.split(".")) found = isJson(found) ? found[part] : undefined;
    return (`${(found as string | undefined) ?? ""}` === value) === (operator !== "!=");
  };
}
