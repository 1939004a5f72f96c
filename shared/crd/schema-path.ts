import type { CrdVersion, StructuralSchema } from "./custom-resource-definition.ts";

/** Paths of columns, selectable fields and scale that lead nowhere in the schema. */
export function pathFaults({
  schema: { openAPIV3Schema: root },
  subresources: { scale } = {},
  additionalPrinterColumns: columns = [],
  selectableFields = [],
}: CrdVersion): readonly string[] {
  const scalePaths = Object.entries(scale ?? {}).map(
    ([name, path]) => [`scale.${name}`, path] as const,
  );
  return [
    ...columns.flatMap(({ name, jsonPath }) => missing(root, `column ${name}`, jsonPath)),
    ...scalePaths.flatMap(([name, path]) => missing(root, name, path)),
    ...selectableFields.flatMap(({ jsonPath }) => missing(root, "selectableFields", jsonPath)),
    ...selectableFields.flatMap(({ jsonPath }) => selectFault(root, jsonPath)),
  ];
}

function missing(root: StructuralSchema, where: string, path: string): readonly string[] {
  return leadsTo(root, path) === "nothing"
    ? [`${where}: no field ${path}; name one that the schema has`]
    : [];
}

const SELECTABLE = ["string", "boolean", "integer"];

function selectFault(root: StructuralSchema, path: string): readonly string[] {
  const found = leadsTo(root, path);
  if (typeof found === "object" && SELECTABLE.includes(found.type ?? "")) return [];
  return found === "nothing"
    ? []
    : [`selectableFields: ${path} is no string, boolean or whole number; leave it out`];
}

/** Plain paths are followed; of others, and below what is open, anything may be there. */
function leadsTo(root: StructuralSchema, path: string): StructuralSchema | "nothing" | "anything" {
  if (!/^(\.[A-Za-z_]\w*)+$/.test(path)) return path.startsWith(".") ? "anything" : "nothing";
  const [first = "", ...rest] = path.slice(1).split(".");
  if (first === "metadata" || first === "apiVersion" || first === "kind") return "anything";
  let schema = root;
  for (const name of [first, ...rest]) {
    if (schema["x-kubernetes-preserve-unknown-fields"]) return "anything";
    const next = schema.additionalProperties ?? schema.properties?.[name];
    if (!next) return "nothing";
    schema = next;
  }
  return schema;
}
