import type { FieldError } from "./api-error.ts";
import { letterLabel } from "./built-in-names.ts";
import { type Part, textOf } from "./built-in-visit.ts";
import { invalid, required } from "./schema-errors.ts";

const NEEDED = ["plural", "singular", "kind", "listKind"];
const MIXED = "may have mixed case, but should otherwise match: ";

/** The faults of the names of a CustomResourceDefinition. */
export function namesFaults(names: Part, path: string): FieldError[] {
  const text = (key: string) => textOf(names[key]);
  const plain = (key: string) => label(text(key), `${path}.${key}`);
  const mixed = (key: string) =>
    letterLabel(text(key).toLowerCase())
      .filter(() => text(key) !== "")
      .map((why) => invalid(`${path}.${key}`, text(key), `${MIXED}${why}`));
  const list = (key: string) =>
    listOf(names[key]).flatMap((name, index) => label(name, `${path}.${key}[${index}]`, true));
  const same = text("kind") !== "" && text("kind") === text("listKind");
  return [
    ...NEEDED.filter((key) => text(key) === "").map((key) => required(`${path}.${key}`)),
    ...plain("plural"),
    ...plain("singular"),
    ...mixed("kind"),
    ...mixed("listKind"),
    ...list("shortNames"),
    ...(same
      ? [invalid(`${path}.listKind`, text("kind"), "kind and listKind may not be the same")]
      : []),
    ...list("categories"),
  ];
}

function label(text: string, field: string, empty = false): FieldError[] {
  if (text === "" && !empty) return [];
  return letterLabel(text).map((why) => invalid(field, text, why));
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
