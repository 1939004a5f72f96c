import type { ApiObject } from "./api-object.ts";
import { fieldOf } from "./field-selectors-built-in.ts";
import type { ServedResource } from "./served-resource.ts";

interface FieldTerm {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** All of these must hold. */
export interface FieldSelector {
  readonly terms: readonly FieldTerm[];
}

export const EVERY_FIELD: FieldSelector = { terms: [] };

/**
 * Reads a field selector as it stands in a query ("metadata.name=a,status.phase!=Running").
 *
 * Throws an Error with the API server's words where it is none, or names a field that the resource
 * cannot be selected by.
 */
export function parseFieldSelector(text: string, resource: ServedResource): FieldSelector {
  const parts = split(text)
    .filter((part) => part !== "")
    .sort();
  const terms = parts.map((part) => termOf(part, text));
  for (const { field } of terms) fieldOf(resource, field);
  return { terms };
}

/** @param object In the version in which it is stored. */
export function matchesFields(
  selector: FieldSelector,
  resource: ServedResource,
  object: ApiObject,
): boolean {
  return selector.terms.every(
    ({ field, equal, value }) => (fieldOf(resource, field)(object) === value) === equal,
  );
}

/** The value that a selector asks of a field, where it asks for exactly one. */
export function exactField({ terms }: FieldSelector, field: string): string | undefined {
  return terms.find((term) => term.equal && term.field === field)?.value;
}

/** At commas that no backslash precedes. */
function split(text: string): string[] {
  const parts: string[] = [];
  let part = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === "\\") {
      part += char + (text[at + 1] ?? "");
      at += 1;
    } else if (char === ",") {
      parts.push(part);
      part = "";
    } else part += char;
  }
  return [...parts, part];
}

function termOf(part: string, whole: string): FieldTerm {
  const found = /^(.*?)(!=|==|=)(.*)$/s.exec(part);
  if (!found) throw new Error(`invalid selector: '${whole}'; can't understand '${part}'`);
  const [, field = "", operator, value = ""] = found;
  return { field, equal: operator !== "!=", value: unescaped(value) };
}

function unescaped(value: string): string {
  let plain = "";
  const characters = Array.from(value);
  for (let at = 0; at < characters.length; at += 1) {
    const char = characters[at] ?? "";
    if (char === "," || char === "=") {
      throw new Error(
        `invalid field selector: unescaped character in value: ${char.codePointAt(0)}`,
      );
    }
    if (char !== "\\") {
      plain += char;
      continue;
    }
    at += 1;
    const next = characters[at] ?? "";
    if (next === "" || !"\\,=".includes(next)) {
      throw new Error(`invalid field selector: invalid escape sequence: \\${next}`);
    }
    plain += next;
  }
  return plain;
}
