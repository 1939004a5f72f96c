import { compareText } from "./fields-element.ts";

/** A JSON value as Go prints it with %v, which the server's messages do: `map[a:1 b:[x y]]`. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (typeof value === "string") return value;
  if (!isMap(value)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return `map[${entries.map(([name, field]) => `${name}:${goText(field)}`).join(" ")}]`;
}

/** A JSON value as Go prints it with %#v. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return "interface {}(nil)";
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (!isMap(value)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  const pairs = entries.map(([name, field]) => `${JSON.stringify(name)}:${goSyntax(field)}`);
  return `map[string]interface {}{${pairs.join(", ")}}`;
}

function isMap(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The Go type that decoded JSON has. */
export function goType(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "object") return "map[string]interface {}";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return Number.isInteger(value) ? "int64" : "float64";
}
