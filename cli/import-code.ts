import { groupOf } from "../shared/api/object.ts";
import type { ImportedKind } from "./import-definitions.ts";
import { commentText, type ForeignSchema, typeSchema } from "./import-schema.ts";
import { pascalOf } from "./scaffold-names.ts";

/** The text of a `resource.ts` that types these kinds and defines them, without their definitions. */
export async function importedCode(
  kinds: readonly ImportedKind[],
  source: string,
): Promise<string> {
  const taken = new Set(["KubernetesObject"]);
  const parts: string[] = [];
  for (const kind of kinds) parts.push(await kindCode(kind, taken));
  const where = source.replaceAll(/\s+/g, " ");
  return [
    `// Made by "tidegate import ${where}"; --force makes it anew after an update.`,
    'import { defineKind, type KubernetesObject } from "tidegate";',
    "",
    parts.join("\n\n"),
    "",
  ].join("\n");
}

/** These are typed by KubernetesObject. */
const OBJECT_FIELDS = ["apiVersion", "kind", "metadata"];

async function kindCode(kind: ImportedKind, taken: Set<string>): Promise<string> {
  const { apiVersion, schema } = kind;
  const group = pascalOf(groupOf(apiVersion).split(".")[0] ?? "");
  const name = freeName(taken, kind.kind, `${group}${kind.kind}`);
  const { properties = {}, required = [], description } = schema;
  const types: string[] = [];
  const fields: string[] = [];
  for (const [field, value] of Object.entries(properties)) {
    if (OBJECT_FIELDS.includes(field)) continue;
    const type = freeName(taken, `${name}${pascalOf(field)}`, `${name}${pascalOf(field)}Field`);
    types.push(await typeCode(type, value));
    const mark = required.includes(field) ? "" : "?";
    fields.push(`  readonly ${fieldName(field)}${mark}: ${type};`);
  }
  const open = schema["x-kubernetes-preserve-unknown-fields"];
  if (open) fields.push("  readonly [field: string]: unknown;");
  const base = `KubernetesObject<${JSON.stringify(apiVersion)}, ${JSON.stringify(kind.kind)}>`;
  const body = fields.length === 0 ? "{}" : ["{", ...fields, "}"].join("\n");
  const declared = `${comment(description)}export interface ${name}\n  extends ${base} ${body}`;
  return [...types, `${declared}\n${definitionCode(name, kind)}`].join("\n\n");
}

function definitionCode(name: string, { apiVersion, kind, plural, scope }: ImportedKind): string {
  const values = Object.entries({ apiVersion, kind, plural, scope });
  return [
    `export const ${name} = defineKind<${name}>({`,
    ...values.map(([field, value]) => `  ${field}: ${JSON.stringify(value)},`),
    "});",
  ].join("\n");
}

/** What the library calls a type before it gets its own name, which the library might spell otherwise. */
const COMPILED = "Compiled";

async function typeCode(name: string, schema: ForeignSchema): Promise<string> {
  // Loaded here: no other command needs it.
  const { compile } = await import("json-schema-to-typescript");
  const code = await compile(typeSchema(schema), COMPILED, {
    bannerComment: "",
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style: { printWidth: 100 },
  });
  return code.trim().replace(/^export (interface|type) Compiled\b/m, `export $1 ${name}`);
}

function comment(description: string | undefined): string {
  if (!description) return "";
  const lines = commentText(description).split("\n");
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */", ""].join("\n");
}

function fieldName(field: string): string {
  return /^[A-Za-z_]\w*$/.test(field) ? field : JSON.stringify(field);
}

/** The first of the names that is free, or the last with a number. */
function freeName(taken: Set<string>, ...names: readonly [string, string]): string {
  let name = names.find((each) => !taken.has(each));
  for (let number = 2; name === undefined; number += 1) {
    const numbered = `${names[1]}${number}`;
    if (!taken.has(numbered)) name = numbered;
  }
  taken.add(name);
  return name;
}
