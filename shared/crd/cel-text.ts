import type { StructuralSchema } from "./custom-resource-definition.ts";

/** Words of CEL that a field may be named, too. https://kubernetes.io/docs/reference/using-api/cel/#escaping */
const RESERVED = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

/** The name of a field in a rule; undefined where rules cannot name it. */
export function celField(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[a-zA-Z_.\-/][\w.\-/]*$/.test(name)) return undefined;
  return name
    .replaceAll("__", "__underscores__")
    .replaceAll(".", "__dot__")
    .replaceAll("-", "__dash__")
    .replaceAll("/", "__slash__");
}

/** A value of an enum in a rule. Rules compare numbers of a field of type `number` with such alone, as 1.0. */
export function celLiteral(value: unknown, type: StructuralSchema["type"]): string {
  const text = JSON.stringify(value);
  return type === "number" && /^-?\d+$/.test(text) ? `${text}.0` : text;
}
